// common/cuda/ptx/warpgroup.cuh for the emulated GPU. Each warp of a warpgroup makes its rows when its lanes
// are there, without waiting for the other warps.
#pragma once

#include <cstdint>

#include "common/emulation/checks/accesses.hpp"
#include "common/emulation/engine/block.hpp"
#include "common/emulation/engine/warp_functions.hpp"
#include "common/emulation/textures/conversions.hpp"

namespace cudabook::ptx {

/// Not the GPU's layout, but the address, in units of 16 bytes, is in the low bits here too, so that one may
/// add to it. Above it are the distances, in the same unit.
inline std::uint64_t describe(const void* shared, std::uint64_t depth_bytes, std::uint64_t side_bytes) {
    if (reinterpret_cast<std::uint64_t>(shared) % 16 != 0 || depth_bytes >= 1U << 14 ||
        side_bytes >= 1U << 14)
        emulation::fail_kernel("a matrix of wgmma that the emulated GPU cannot describe");
    return reinterpret_cast<std::uint64_t>(shared) >> 4 | depth_bytes >> 4 << 44 | side_bytes >> 4 << 54;
}

template <int registers>
void shrink_to() {}
template <int registers>
void grow_to() {}

inline void begin_products() {}
inline void end_products() {}
inline void await_products() {}

namespace detail {

/// What a lane brings.
struct WarpgroupFragments {
    float* d;
    const float* a;
    std::uint64_t b;
    bool add;
};

/// Of B: in shared memory, 2 x 16 core matrices of 8 rows of 16 bytes.
struct DescribedMatrix {
    explicit DescribedMatrix(std::uint64_t descriptor)
        : begin(reinterpret_cast<const unsigned char*>((descriptor & ((std::uint64_t{1} << 44) - 1)) << 4)),
          depth_bytes((descriptor >> 44 & 0x3ff) << 4),
          side_bytes((descriptor >> 54) << 4) {}
    [[nodiscard]] const unsigned char* core(unsigned k, unsigned n) const {
        return begin + k * depth_bytes + n * side_bytes;
    }

    const unsigned char* begin;
    std::size_t depth_bytes;
    std::size_t side_bytes;
};

inline void multiply_for_warp(emulation::Exchange& warp) {
    if (warp.lanes != ~0U) emulation::fail_kernel("wgmma in a warp of less than 32 threads");
    const auto fragments = [&](unsigned lane) -> const WarpgroupFragments& {
        return emulation::brought_by<const WarpgroupFragments>(lane, warp);
    };
    const DescribedMatrix matrix(fragments(0).b);
    double b[8][128];
    for (unsigned k = 0; k < 8; ++k)
        for (unsigned n = 0; n < 128; ++n)
            b[k][n] = emulation::tf32_bits(
                reinterpret_cast<const float*>(matrix.core(k / 4, n / 8) + n % 8 * 16)[k % 4]);

    for (unsigned row = 0; row < 16; ++row) {
        double products[128] = {};
        for (unsigned k = 0; k < 8; ++k) {
            const unsigned lane = row % 8 * 4 + k % 4;
            const double a = emulation::tf32_bits(fragments(lane).a[row / 8 + k / 4 * 2]);
            for (unsigned n = 0; n < 128; ++n) products[n] += a * b[k][n];
        }
        for (unsigned n = 0; n < 128; ++n) {
            const WarpgroupFragments& of = fragments(row % 8 * 4 + n % 8 / 2);
            float& sum = of.d[n / 8 * 4 + row / 8 * 2 + n % 2];
            sum = emulation::truncated_to_float(of.add ? sum + products[n] : products[n]);
        }
    }
}

}  // namespace detail

/// As accurate as multiply_16x8x8() of mma.cuh.
inline void multiply(float (&d)[64], const float (&a)[4], std::uint64_t b, bool add) {
    if (emulation::thread_number() % 32 ==
        0)  // which says for its warp that what was read may be overwritten
        for (unsigned i = 0; i < 32; ++i)
            emulation::see_read(detail::DescribedMatrix(b).core(i / 16, i % 16), 128);
    const detail::WarpgroupFragments given{.d = d, .a = a, .b = b, .add = add};
    emulation::await_warp(~0U, emulation::to_given(given), 0, detail::multiply_for_warp, "wgmma.mma_async");
}

}  // namespace cudabook::ptx
