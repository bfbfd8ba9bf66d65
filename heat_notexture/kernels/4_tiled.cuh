// The classical lesson: a block first loads its tile, and the cells around it, into shared memory; then each
// thread finds the five cells of its step there. Every cell of the grid is read once by its block, not five
// times, and once more by each neighbouring block whose tile it touches. One launch a step, one thread a
// cell. Today's caches do as much on their own, so this is no faster than kernel `fused`. The next file shows
// what a tile in shared memory is good for.
#pragma once

#include "common/cuda/previous_launch.cuh"

constexpr int tiled_width = 32;
constexpr int tiled_height = 16;

__global__ static void tiled_kernel(float* out, const float* in, const float* sources, int width, int height,
                                    int pitch, float speed, bool write_sources) {
    __shared__ float tile[tiled_height + 2][tiled_width + 2];
    cudabook::await_previous_launch();
    const int across = (width + tiled_width - 1) / tiled_width;
    const int tile_x = blockIdx.x % across * tiled_width;
    const int tile_y = blockIdx.x / across * tiled_height;
    for (int ty = threadIdx.y; ty < tiled_height + 2; ty += tiled_height)
        for (int tx = threadIdx.x; tx < tiled_width + 2; tx += tiled_width) {
            const int x = min(max(tile_x + tx - 1, 0), width - 1);  // beyond the edge, the edge's cell again
            const int y = min(max(tile_y + ty - 1, 0), height - 1);
            tile[ty][tx] = in[x + static_cast<size_t>(y) * pitch];
        }
    __syncthreads();

    const int x = tile_x + threadIdx.x;
    const int y = tile_y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    const float cell = tile[ty][tx];
    const float sum = ((tile[ty - 1][tx] + tile[ty + 1][tx]) + tile[ty][tx - 1]) + tile[ty][tx + 1];
    const size_t offset = x + static_cast<size_t>(y) * pitch;
    const float source = write_sources ? sources[offset] : 0;
    out[offset] = source != 0 ? source : fmaf(speed, fmaf(-4, cell, sum), cell);
}
