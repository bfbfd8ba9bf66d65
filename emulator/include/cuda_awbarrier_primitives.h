// Barriers in shared memory for threads that arrive and wait separately. Source: CUDA C++ Programming Guide,
// "Memory Barrier Primitives Interface".
#pragma once

#include <cstdint>

#include "emulator/engine/block.hpp"
#include "emulator/engine/mbarrier.hpp"

using __mbarrier_t = std::uint64_t;
using __mbarrier_token_t = std::uint64_t;

inline std::uint32_t __mbarrier_maximum_count() { return cudabook::emulation::Mbarrier::most_arrivals; }
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected_count) {
    cudabook::emulation::Mbarrier(*barrier).init(expected_count);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    return cudabook::emulation::Mbarrier(*barrier).arrive();
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    return cudabook::emulation::Mbarrier(*barrier).arrive(true);
}
inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return cudabook::emulation::Mbarrier::pending_of(token);
}

inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
    if (cudabook::emulation::Mbarrier(*barrier).has_ended(phase_parity ? 1 : 0)) {
        cudabook::emulation::acquire(barrier);
        return true;
    }
    cudabook::emulation::yield();  // the threads that have not arrived must run
    return false;
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    return __mbarrier_test_wait_parity(barrier, cudabook::emulation::Mbarrier::parity_of(token) != 0);
}

// These wait without a time limit, so that a deadlock is found.
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity, std::uint32_t) {
    cudabook::emulation::Mbarrier(*barrier).wait(phase_parity ? 1 : 0);
    return true;
}
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
    cudabook::emulation::Mbarrier(*barrier).wait(cudabook::emulation::Mbarrier::parity_of(token));
    return true;
}
