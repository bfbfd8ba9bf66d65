// A and B as pipelined copies them: rows that begin at multiples of 16 bytes, and a multiple of 32 of them.
#pragma once

#include <cstddef>

#include "common/cuda/launch.cuh"
#include "matmul/kernels/tile.cuh"

namespace cudabook::matmul {

constexpr int align_side = 64;  // of the tile that a block copies
constexpr int align_threads = 256;

/// A transposed: row i of the result is column i of A. The result has `rows` rows of `stride` elements, a
/// multiple of 4; what A does not fill of them is beyond its end.
__global__ static void __launch_bounds__(align_threads)
    transpose_kernel(float* transposed, std::size_t rows, std::size_t stride, const float* a, std::size_t m,
                     std::size_t k) {
    await_previous_launch();
    __shared__ float tile[align_side][align_side + 1];
    const std::size_t tiles_across = (rows + align_side - 1) / align_side;
    const std::size_t row = blockIdx.x / tiles_across * align_side;  // of A
    const std::size_t column = blockIdx.x % tiles_across * align_side;
    const int x = static_cast<int>(threadIdx.x) % align_side;
    const int y = static_cast<int>(threadIdx.x) / align_side;
    constexpr int step = align_threads / align_side;
#pragma unroll
    for (int i = 0; i < align_side; i += step)
        tile[x][y + i] = row + y + i < m && column + x < k ? a[(row + y + i) * k + column + x] : beyond_a;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < align_side; i += step)
        if (column + y + i < rows && row + x < stride)
            transposed[(column + y + i) * stride + row + x] = tile[y + i][x];
}

/// B with as many rows and as long ones; what B does not fill of them is beyond its end.
__global__ static void __launch_bounds__(align_threads)
    pad_kernel(float* padded, std::size_t rows, std::size_t stride, const float* b, std::size_t n,
               std::size_t k) {
    await_previous_launch();
    for (std::size_t i = std::size_t{blockIdx.x} * align_threads + threadIdx.x; i < rows * stride;
         i += std::size_t{gridDim.x} * align_threads) {
        const std::size_t row = i / stride;
        const std::size_t column = i % stride;
        padded[i] = row < k && column < n ? b[row * n + column] : beyond_b;
    }
}

}  // namespace cudabook::matmul
