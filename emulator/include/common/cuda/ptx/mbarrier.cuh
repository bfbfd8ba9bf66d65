// common/cuda/ptx/mbarrier.cuh for the emulated GPU. A copy is complete when its call returns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/mbarrier.hpp"

namespace cudabook::ptx {

using Barrier = std::uint64_t;

inline void init(Barrier& barrier, int arrivals) {
    emulation::Mbarrier(barrier).init(static_cast<std::uint32_t>(arrivals));
}

inline void publish_barriers() {}

inline void arrive_and_expect(Barrier& barrier, int bytes) {
    emulation::Mbarrier(barrier).expect(bytes);
    emulation::Mbarrier(barrier).arrive();
}

inline void arrive(Barrier& barrier) { emulation::Mbarrier(barrier).arrive(); }

inline void wait(Barrier& barrier, std::uint32_t parity) { emulation::Mbarrier(barrier).wait(parity); }

namespace detail {

inline void copy_bulk(void* to, const void* from, int bytes) {
    if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
         static_cast<std::uintptr_t>(bytes)) %
            16 !=
        0)
        emulation::fail_kernel("cp.async.bulk of addresses or sizes that are no multiples of 16");
    emulation::copy_memory(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace detail

inline void copy(void* shared, const void* global, int bytes, Barrier& barrier) {
    detail::copy_bulk(shared, global, bytes);
    emulation::Mbarrier(barrier).expect(-bytes);
}

}  // namespace cudabook::ptx
