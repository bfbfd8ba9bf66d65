// Memory that graphs allocate and free. The memory's address is fixed when the allocating node is made.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

class GpuState;

/// Returns whether a launch of the graph can allocate the graph's memory: none of this memory may still be
/// allocated. If `frees` is true, first frees the memory.
bool can_allocate(const CUgraph_st& graph, bool frees);

/// Returns whether a graph's node allocates this memory.
bool is_graph_memory(const void* memory);

/// Frees memory that a graph has allocated. The graph's next launch allocates the memory again. Returns false
/// if the memory is not a graph's, or if it is not allocated.
bool free_graph_memory(void* memory);

/// Forgets the memory that graphs have allocated on the GPU.
void destroy_graph_memory_of(const GpuState& gpu);

}  // namespace cudabook::emulation
