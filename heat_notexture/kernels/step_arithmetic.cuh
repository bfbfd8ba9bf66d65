// The arithmetic of a step and nothing else: the ceiling of kernels that keep the cells on the chip. A thread
// holds 4×8 cells in registers. Neighbours beyond an edge are cells of the other edge, so nothing is loaded.
#pragma once

namespace cudabook::heat {

constexpr int arithmetic_columns = 4;
constexpr int arithmetic_rows = 8;

__global__ static void step_arithmetic_kernel(float* out, float speed, int pairs_of_steps) {
    constexpr int columns = arithmetic_columns;
    constexpr int rows = arithmetic_rows;
    float cells[2][rows][columns];
#pragma unroll
    for (int y = 0; y < rows; ++y)
#pragma unroll
        for (int x = 0; x < columns; ++x) cells[0][y][x] = threadIdx.x * 0.001F + x + y;

    for (int i = 0; i < pairs_of_steps; ++i)
#pragma unroll
        for (int step = 0; step < 2; ++step)
#pragma unroll
            for (int y = 0; y < rows; ++y)
#pragma unroll
                for (int x = 0; x < columns; ++x) {
                    const auto& in = cells[step];
                    const float top = in[(y + rows - 1) % rows][x];
                    const float bottom = in[(y + 1) % rows][x];
                    const float left = in[y][(x + columns - 1) % columns];
                    const float right = in[y][(x + 1) % columns];
                    cells[1 - step][y][x] =
                        fmaf(speed, fmaf(-4, in[y][x], ((top + bottom) + left) + right), in[y][x]);
                }

    float sum = 0;
#pragma unroll
    for (int y = 0; y < rows; ++y)
#pragma unroll
        for (int x = 0; x < columns; ++x) sum += cells[0][y][x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace cudabook::heat
