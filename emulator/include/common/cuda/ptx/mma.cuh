// common/cuda/ptx/mma.cuh for the emulated GPU.
#pragma once

#include <cstdint>

#include "emulator/engine/block.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/textures/conversions.hpp"

namespace cudabook::ptx {

namespace detail {

/// A lane's operands.
struct Fragments {
    float* sums;
    const float* a;
    float b0, b1;
};

inline void multiply_fragments(emulation::Exchange& warp) {
    if (warp.lanes != ~0U) {
        emulation::refuse(warp.refused, "mma.sync in a warp of less than 32 threads");
        return;
    }
    const auto fragments = [&](unsigned lane) -> const Fragments& {
        return emulation::brought_by<const Fragments>(lane, warp);
    };
    double a[16][8];
    double b[8][8];  // [column][row]
    for (unsigned lane = 0; lane < 32; ++lane) {
        const Fragments& given = fragments(lane);
        for (unsigned i = 0; i < 4; ++i)
            a[lane / 4 + i % 2 * 8][lane % 4 + i / 2 * 4] = emulation::tf32_bits(given.a[i]);
        b[lane / 4][lane % 4] = emulation::tf32_bits(given.b0);
        b[lane / 4][lane % 4 + 4] = emulation::tf32_bits(given.b1);
    }
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < 4; ++i) {
            const double* row = a[lane / 4 + i / 2 * 8];
            const double* column = b[lane % 4 * 2 + i % 2];
            double products = 0;
            for (unsigned k = 0; k < 8; ++k) products += row[k] * column[k];
            float& sum = fragments(lane).sums[i];
            sum = emulation::truncated_to_float(sum + products);
        }
}

}  // namespace detail

/// Multiplies like mma.sync. Tensor cores add the products and the sum with a few bits more than a float's
/// 24, and truncate; the number of bits is not published. This function adds in double, and truncates. A
/// sum differs from a GPU's sum by at most two units in the last place of the largest term. The two sums
/// are equal if the sum is exact in a float.
inline void multiply_16x8x8(float (&sums)[4], const float (&a)[4], float b0, float b1) {
    const detail::Fragments given{.sums = sums, .a = a, .b0 = b0, .b1 = b1};
    emulation::await_warp(~0U, emulation::to_given(given), 0, detail::multiply_fragments, "mma.sync");
}

}  // namespace cudabook::ptx
