// What the kernels share: which part of C a block makes, what stands beyond the end of a matrix, and the
// products of what is in registers.
#pragma once

#include <cstddef>

#include "matmul/kernels/tile_of_block.cuh"

namespace cudabook::matmul {

/// What stands for an element beyond the end of A and of B: fma(-0, +0, c) is c for every c, even for -0.
constexpr float beyond_a = -0.0F;
constexpr float beyond_b = 0.0F;

/// Elements `column` to `column` + 3 of a row, in one load where that can be; `beyond` for those after the
/// row's end.
__device__ inline float4 four_of(const float* row, std::size_t column, std::size_t columns, float beyond) {
    const float* from = row + column;
    if (column + 4 <= columns && reinterpret_cast<std::size_t>(from) % sizeof(float4) == 0)
        return *reinterpret_cast<const float4*>(from);
    const auto at = [&](std::size_t i) { return column + i < columns ? from[i] : beyond; };
    return {at(0), at(1), at(2), at(3)};
}

/// Writes elements `column` to `column` + 3 of a row, in one store where that can be, and none after the end.
__device__ inline void set_four(float* row, std::size_t column, std::size_t columns, float4 values) {
    float* to = row + column;
    if (column + 4 <= columns && reinterpret_cast<std::size_t>(to) % sizeof(float4) == 0) {
        *reinterpret_cast<float4*>(to) = values;
        return;
    }
    const float each[] = {values.x, values.y, values.z, values.w};
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (column + i < columns) to[i] = each[i];
}

/// sums[i][j] := fma(a[i], b[j], sums[i][j]), in registers. These stand in two banks, and each bank gives one
/// operand at a time; one that the fma before had is still at hand. So the path is a meander: from each fma
/// to the next only one of a[i] and b[j] changes. That it begins in the middle was found by trying: the
/// compiler keeps to it best.
template <int side>
__device__ void add_products(float (&sums)[side][side], const float (&a)[side], const float (&b)[side]) {
#pragma unroll
    for (int j = 0; j < side; ++j)
#pragma unroll
        for (int step = 0; step < side; ++step) {
            const int i = (j % 2 == 0 ? side - 1 - step : step) ^ (side / 2);
            sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
}

/// Reads four floats of shared memory at once; `from` is aligned to 16 bytes.
__device__ inline void read_four(float* to, const float* from) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

}  // namespace cudabook::matmul
