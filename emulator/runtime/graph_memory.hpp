// Memory that graphs allocate and free. The memory's address is fixed when the allocating node is made.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

class GpuState;

/// Returns true if none of the graph's memory is allocated, so that a launch can allocate it. If `frees` is
/// true, frees the memory first.
bool can_allocate(const CUgraph_st& graph, bool frees);

/// Returns whether a graph's node allocates this memory.
bool is_graph_memory(const void* memory);

/// Frees memory that a graph has allocated; the graph's next launch allocates it again. Returns false if
/// this is not such memory, or if it is not allocated.
bool free_graph_memory(void* memory);

/// Forgets the memory that graphs have allocated on the GPU.
void destroy_graph_memory_of(const GpuState& gpu);

}  // namespace cudabook::emulation
