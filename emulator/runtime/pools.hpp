// Pools of memory: cudaMallocAsync() and its kin. A pool only counts: all memory is the host's.
#pragma once

namespace cudabook::emulation {

/// Notes that memory, perhaps of a pool, is freed.
void freed_to_pool(void* memory);

}  // namespace cudabook::emulation
