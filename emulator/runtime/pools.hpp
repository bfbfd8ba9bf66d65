// Pools of memory: cudaMallocAsync() and its kin. A pool only counts: all memory is the host's.
#pragma once

#include <optional>

namespace cudabook::emulation {

class GpuState;

/// Notes that memory, perhaps of a pool, will be freed.
void free_in_pool(void* memory);

/// Returns whether this GPU may use the memory, which begins here; nothing if the memory is of no pool.
std::optional<bool> pool_is_accessible(const void* memory, int device);

/// Forgets the GPU's pools but the default one, and all that was allocated from them.
void destroy_pools_of(const GpuState& gpu);

}  // namespace cudabook::emulation
