// Barriers in shared memory, and asynchronous copies whose bytes the barriers count: compute capability 9.0
// and newer. Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier" and
// "cp.async.bulk".
#pragma once

#include <cstdint>

#include "common/cuda/ptx/shared_address.cuh"

namespace cudabook::ptx {

/// A barrier in shared memory. init() sets how many threads must arrive. A phase ends when these threads have
/// arrived, and all bytes that they announced.
using Barrier = std::uint64_t;

__device__ inline void init(Barrier& barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(arrivals));
}

/// Makes initialised barriers visible to the asynchronous copies.
__device__ inline void publish_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Counts the calling thread as arrived, and announces how many bytes the copies of this phase bring.
__device__ inline void arrive_and_expect(Barrier& barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
                 "r"(bytes)
                 : "memory");
}

__device__ inline void arrive(Barrier& barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier)) : "memory");
}

/// Waits until the phase with this parity has ended. The parities of the phases alternate: 0 for the first
/// phase, 1 for the second.
__device__ inline void wait(Barrier& barrier, std::uint32_t parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n"
        "}" ::"r"(shared_address(&barrier)),
        "r"(parity)
        : "memory");
}

/// Starts a copy of consecutive bytes from global memory to this block's shared memory, and does not wait for
/// its end. `barrier` counts the bytes that arrive.
__device__ inline void copy(void* shared, const void* global, int bytes, Barrier& barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(shared)),
        "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(&barrier))
        : "memory");
}

}  // namespace cudabook::ptx
