// Asynchronous copies from shared to global memory: compute capability 9.0 and newer. Source: PTX ISA,
// "cp.async.bulk" and "Async proxy".
#pragma once

#include "common/cuda/ptx/shared_address.cuh"

namespace cudabook::ptx {

/// Makes what this thread has written to shared memory visible to asynchronous copies.
__device__ inline void publish_to_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Starts a copy of consecutive bytes from this block's shared memory to global memory, and does not wait for
/// its end. Addresses and size are multiples of 16.
__device__ inline void store(void* global, const void* shared, int bytes) {
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global)),
        "r"(shared_address(shared)), "r"(bytes)
        : "memory");
}

/// Waits until the stores that this thread has started have read shared memory.
__device__ inline void await_reads_of_stores() {
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}

/// Waits until the stores that this thread has started are complete.
__device__ inline void await_stores() {
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

}  // namespace cudabook::ptx
