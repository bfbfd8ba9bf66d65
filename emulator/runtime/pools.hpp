// Pools of memory, for cudaMallocAsync() and similar functions. A pool only counts bytes, because all
// memory is the host's.
#pragma once

#include <optional>

namespace cudabook::emulation {

class GpuState;

/// Notes that this memory will be freed. If the memory is from a pool, the pool counts it as free.
void free_in_pool(void* memory);

/// Returns whether the GPU with the number `device` may use the memory that begins at this address. Returns
/// nothing if the memory is not from a pool.
std::optional<bool> pool_is_accessible(const void* memory, int device);

/// Forgets the GPU's pools except the default pool, and all allocations from the GPU's pools.
void destroy_pools_of(const GpuState& gpu);

}  // namespace cudabook::emulation
