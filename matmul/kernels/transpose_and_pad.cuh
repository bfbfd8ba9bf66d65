// A and B as pipelined needs them: A is transposed, each row begins at a multiple of 16 bytes, and the number
// of rows is a multiple of 32.
#pragma once

#include <cstddef>

#include "common/cuda/previous_launch.cuh"
#include "matmul/kernels/padding.cuh"

namespace cudabook::matmul {

constexpr int transpose_side = 64;  // the side of the tile that a block transposes
constexpr int copy_threads = 256;   // the threads of a block

/// Transposes A: row i of the result is column i of A. The result has `rows` rows of `stride` elements, a
/// multiple of 4. Elements beyond A are padding.
__global__ static void __launch_bounds__(copy_threads)
    transpose_kernel(float* transposed, std::size_t rows, std::size_t stride, const float* a, std::size_t m,
                     std::size_t k) {
    await_previous_launch();
    __shared__ float tile[transpose_side][transpose_side + 1];
    const std::size_t tiles_across = (rows + transpose_side - 1) / transpose_side;
    const std::size_t row = blockIdx.x / tiles_across * transpose_side;  // of A
    const std::size_t column = blockIdx.x % tiles_across * transpose_side;
    const int x = static_cast<int>(threadIdx.x) % transpose_side;
    const int y = static_cast<int>(threadIdx.x) / transpose_side;
    constexpr int step = copy_threads / transpose_side;
#pragma unroll
    for (int i = 0; i < transpose_side; i += step)
        tile[x][y + i] = row + y + i < m && column + x < k ? a[(row + y + i) * k + column + x] : a_padding;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < transpose_side; i += step)
        if (column + y + i < rows && row + x < stride)
            transposed[(column + y + i) * stride + row + x] = tile[y + i][x];
}

/// Copies B into `rows` rows of `stride` elements. Elements beyond B are padding.
__global__ static void __launch_bounds__(copy_threads)
    pad_kernel(float* padded, std::size_t rows, std::size_t stride, const float* b, std::size_t n,
               std::size_t k) {
    await_previous_launch();
    for (std::size_t i = std::size_t{blockIdx.x} * copy_threads + threadIdx.x; i < rows * stride;
         i += std::size_t{gridDim.x} * copy_threads) {
        const std::size_t row = i / stride;
        const std::size_t column = i % stride;
        padded[i] = row < k && column < n ? b[row * n + column] : b_padding;
    }
}

}  // namespace cudabook::matmul
