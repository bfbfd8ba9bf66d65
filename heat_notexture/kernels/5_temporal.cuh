// Six steps for each load of a tile: blocking in time. What limits a step of its own is the memory, and of
// the six only the first reads it and only the last writes it. The tile, its two copies in shared memory and
// the cells that are computed in vain are in common/heat/kernels/steps_in_shared.cuh.
#pragma once

#include "common/heat/kernels/steps_in_shared.cuh"

__global__ static void __launch_bounds__(cudabook::heat::shared_threads* cudabook::heat::shared_threads)
    temporal_kernel(float* out, const float* in, const float* sources, int width, int height, int pitch,
                    float speed, int steps) {
    const auto load = [pitch](const float* grid) {
        return [=](int x, int y) { return grid[x + static_cast<size_t>(y) * pitch]; };
    };
    cudabook::heat::steps_in_shared(out, load(in), load(sources), width, height, pitch, speed, steps);
}
