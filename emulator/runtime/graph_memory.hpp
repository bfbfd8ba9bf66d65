// Memory that graphs allocate and free. Its addresses are fixed when the node is made.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

class GpuState;

/// Returns whether a launch can allocate the graph's memory: none is allocated. With `frees`, frees it first.
bool can_allocate(const CUgraph_st& graph, bool frees);

/// Returns whether a graph's node allocates this memory.
bool is_graph_memory(const void* memory);

/// Frees memory that a graph has allocated, until the graph's next launch. Returns false if it is not such
/// memory, or is free.
bool free_graph_memory(void* memory);

/// Forgets what the graphs have allocated on the GPU.
void destroy_graph_memory_of(const GpuState& gpu);

}  // namespace cudabook::emulation
