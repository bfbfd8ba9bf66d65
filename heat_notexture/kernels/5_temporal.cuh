// Six steps for each load of a tile: temporal blocking. A single step is limited by memory; of the six steps,
// only the first reads memory and only the last writes it.
//
// A block loads a tile of 64×64 cells once, does its steps in shared memory, and writes the cells that are
// still right. Each step makes one more row or column at each side wrong, because the cells beyond the tile
// are unknown. So the tiles of neighbouring blocks overlap, and some work is redundant. Two copies of the
// tile take turns, because a cell may not change before all its neighbours have read it.
#pragma once

#include "common/cuda/previous_launch.cuh"

namespace cudabook::heat {

constexpr int shared_side = 64;     // the side of a tile, in cells
constexpr int shared_threads = 32;  // the threads of a block, in x and in y: each thread has four cells
constexpr int shared_steps = 6;     // the most steps in one launch

}  // namespace cudabook::heat

// Reads the cell at column x and row y of a grid; rows begin `pitch` cells apart.
struct LoadCell {
    const float* cells;
    __device__ float operator()(int x, int y, int pitch) const {
        return cells[x + static_cast<size_t>(y) * pitch];
    }
};

// Does `steps` steps of the grid's tile number blockIdx.x. Cell reads a grid: LoadCell, or sample heat's
// FetchCell.
template <class Cell>
__global__ static void __launch_bounds__(cudabook::heat::shared_threads* cudabook::heat::shared_threads)
    temporal_kernel(float* out, Cell in, Cell sources, int width, int height, int pitch, float speed,
                    int steps) {
    using namespace cudabook::heat;
    __shared__ float tiles[2][shared_side][shared_side];
    const int out_side = shared_side - 2 * steps;
    const int across = (width + out_side - 1) / out_side;
    const int out_x = blockIdx.x % across * out_side;
    const int out_y = blockIdx.x / across * out_side;
    const int tile_x = out_x - steps;
    const int tile_y = out_y - steps;
    float source[4];  // a thread has one cell in each quarter of the tile
    cudabook::await_previous_launch();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int tx = threadIdx.x + i % 2 * shared_threads;
        const int ty = threadIdx.y + i / 2 * shared_threads;
        const int x = min(max(tile_x + tx, 0), width - 1);
        const int y = min(max(tile_y + ty, 0), height - 1);
        source[i] = sources(x, y, pitch);
        tiles[0][ty][tx] = source[i] != 0 ? source[i] : in(x, y, pitch);
    }
    for (int step = 1; step <= steps; ++step) {
        const auto& cells = tiles[(step - 1) % 2];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int tx = threadIdx.x + i % 2 * shared_threads;
            const int ty = threadIdx.y + i / 2 * shared_threads;
            const int x = tile_x + tx;
            const int y = tile_y + ty;
            const float c = cells[ty][tx];
            const float left = cells[ty][x == 0 ? tx : max(tx - 1, 0)];
            const float right = cells[ty][x == width - 1 ? tx : min(tx + 1, shared_side - 1)];
            const float top = cells[y == 0 ? ty : max(ty - 1, 0)][tx];
            const float bottom = cells[y == height - 1 ? ty : min(ty + 1, shared_side - 1)][tx];
            const float next = fmaf(speed, fmaf(-4, c, ((top + bottom) + left) + right), c);
            if (step < steps) {
                tiles[step % 2][ty][tx] = source[i] != 0 ? source[i] : next;
            } else if (x >= out_x && x < min(out_x + out_side, width) && y >= out_y &&
                       y < min(out_y + out_side, height)) {
                out[x + static_cast<size_t>(y) * pitch] = next;
            }
        }
    }
}
