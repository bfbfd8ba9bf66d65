// common/cuda/ptx/mma.cuh for the emulated GPU.
#pragma once

#include "emulator/engine/block.hpp"
#include "emulator/engine/tensor_cores.hpp"
#include "emulator/engine/warp_functions.hpp"

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
    const auto fragments = [&](int lane) -> const Fragments& {
        return emulation::brought_by<const Fragments>(static_cast<unsigned>(lane), warp);
    };
    tensor_cores::Factors<tensor_cores::Tf32, 8, 16> a;  // all rows at once are quicker than all columns
    tensor_cores::Factors<tensor_cores::Tf32, 8> b[8];
    for (int lane = 0; lane < 32; ++lane) {
        const Fragments& given = fragments(lane);
        for (int i = 0; i < 4; ++i)
            a.value[lane % 4 + i / 2 * 4][lane / 4 + i % 2 * 8] = emulation::tf32_value(given.a[i]);
        b[lane / 4].value[lane % 4][0] = emulation::tf32_value(given.b0);
        b[lane / 4].value[lane % 4 + 4][0] = emulation::tf32_value(given.b1);
    }
    a.prepare();
    for (auto& column : b) column.prepare();
    const tensor_cores::Adder& adder = emulation::tensor_core_adder();
    for (int column = 0; column < 8; ++column) {
        const auto sum_of = [&](int row) -> float& {
            return fragments(row % 8 * 4 + column / 2).sums[row / 8 * 2 + column % 2];
        };
        float sums[16];
        for (int row = 0; row < 16; ++row) sums[row] = sum_of(row);
        tensor_cores::add_products<tensor_cores::ToFloat>(adder, sums, b[column], a);
        for (int row = 0; row < 16; ++row) sum_of(row) = sums[row];
    }
}

}  // namespace detail

/// Gives the same bits as mma.sync of the GPU that is emulated (docs/tensor-cores.md).
inline void multiply_16x8x8(float (&sums)[4], const float (&a)[4], float b0, float b1) {
    const detail::Fragments given{.sums = sums, .a = a, .b0 = b0, .b1 = b1};
    emulation::await_warp(~0U, emulation::to_given(given), 0, detail::multiply_fragments, "mma.sync");
}

}  // namespace cudabook::ptx
