// Kernel `registers` loads a tile, does its steps and stores it: the memory is idle while the block computes,
// and the block is idle while the memory works. Here a multiprocessor has one block, which does one tile
// after the other. During the steps of a tile, the cells of the next tile are copied to shared memory, and no
// thread waits for them (compute capability 8.0 and newer). A thread copies only cells that it will use
// itself, so no barrier is needed. A warp holds fourteen or twelve rows instead of ten, so fewer cells are
// computed twice.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "heat_notexture/kernels/6_registers.cuh"

template <int rows>
__global__ static void __launch_bounds__(32 * cudabook::heat::register_warps)
    prefetched_kernel(float* out, const float* in, const float* sources, const bool* tile_has_source,
                      int width, int height, int pitch, float speed, int steps, int tiles) {
    using namespace cudabook::heat;
    constexpr int threads = 32 * register_warps;
    extern __shared__ float4 copied[];
    __shared__ SharedRows shared;
    float4* const mine = copied + threadIdx.x + 32 * threadIdx.y;
    Lane<false, rows> lane;
    lane.speed = speed;
    lane.width = width;
    lane.height = height;
    lane.pitch = pitch;

    const auto tile_of = [=](int number) {
        return tile_number(number, register_warps * rows, width, height, steps);
    };
    const auto finds_source = [=](const BlockTile& tile) {
        return lane_finds_source(tile_has_source, tile.x, tile.y + threadIdx.y * rows, rows, width, height);
    };
    const auto copy = [=](const BlockTile& tile) {
        const size_t x = min(tile.x + 4 * static_cast<int>(threadIdx.x), pitch - 4);
        const float* from = in + x + (tile.y + threadIdx.y * rows) * static_cast<size_t>(pitch);
#pragma unroll
        for (int r = 0; r < rows; ++r)
            __pipeline_memcpy_async(mine + r * threads, from + r * static_cast<size_t>(pitch), 16);
        __pipeline_commit();
    };

    bool has_source = __any_sync(~0U, finds_source(tile_of(blockIdx.x)));
    cudabook::await_previous_launch();
    copy(tile_of(blockIdx.x));
    for (int number = blockIdx.x; number < tiles; number += gridDim.x) {
        lane.begin(tile_of(number), shared);
        __pipeline_wait_prior(0);
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            lane.cell[r] = mine[r * threads];
            lane.cell_speed[r] = {speed, speed, speed, speed};
        }
        const bool with_sources = __syncthreads_or(has_source);
        if (has_source)
            lane.write_sources(
                [=](size_t offset) { return *reinterpret_cast<const float4*>(sources + offset); });

        const int next = number + static_cast<int>(gridDim.x);
        const bool finds_next_source = next < tiles && finds_source(tile_of(next));
        if (next < tiles) copy(tile_of(next));
        lane.do_steps(tile_of(number), with_sources, steps);
        has_source = __any_sync(~0U, finds_next_source);
        lane.store(out, tile_of(number));
    }
}
