// The inner step of the kernels that keep a part of C in registers.
#pragma once

namespace cudabook::matmul {

/// sums[i][j] := fma(a[i], b[j], sums[i][j]), all in registers. Registers are in two banks, and a bank gives
/// one operand at a time, but an operand of the fma before is still at hand. So the order is a meander: from
/// one fma to the next only one of a[i] and b[j] changes. It begins in the middle of a column because the
/// compiler then keeps to it best, as measurement showed.
template <int side>
__device__ void add_outer_product(float (&sums)[side][side], const float (&a)[side], const float (&b)[side]) {
#pragma unroll
    for (int j = 0; j < side; ++j)
#pragma unroll
        for (int step = 0; step < side; ++step) {
            const int i = (j % 2 == 0 ? side - 1 - step : step) ^ (side / 2);
            sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
}

}  // namespace cudabook::matmul
