// The inner step of the kernels that keep a part of C in registers.
#pragma once

namespace cudabook::matmul {

enum class Meander { down_columns, along_rows };

/// Sets each sums[i][j] to fma(a[i], b[j], sums[i][j]), all in registers. Registers are in two banks, and a
/// bank delivers one operand at a time, but an operand of the previous fma can be reused. So the order of the
/// fmas is a meander: from one fma to the next, only a[i] or only b[j] changes. Meander::along_rows is better
/// where all registers of `a` are in one bank. `turn` says where in a column or row the meander begins. The
/// compiler keeps to some orders better than to others, as the disassembly of each kernel shows.
template <Meander meander, int turn, int rows, int columns>
__device__ void add_outer_product(float (&sums)[rows][columns], const float (&a)[rows],
                                  const float (&b)[columns]) {
    constexpr bool down = meander == Meander::down_columns;
    constexpr int length = down ? rows : columns;
#pragma unroll
    for (int line = 0; line < (down ? columns : rows); ++line)
#pragma unroll
        for (int step = 0; step < length; ++step) {
            const int place = (line % 2 == 0 ? length - 1 - step : step) ^ turn;
            const int i = down ? place : line;
            const int j = down ? line : place;
            sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
}

}  // namespace cudabook::matmul
