// Asks for memory before it is needed.
#pragma once

namespace cudabook {

/// Starts to load the 32 bytes that contain an address of global memory into the L2 cache. Does not wait.
__device__ inline void prefetch_to_l2(const void* address) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

}  // namespace cudabook
