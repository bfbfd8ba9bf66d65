// Six steps for each load of a tile: blocking in time. A single step is limited by the memory, and of the six
// only the first reads it and only the last writes it. The tile, its two copies in shared memory and the
// redundant cells around it are in heat_notexture/kernels/steps_in_shared.cuh.
#pragma once

#include "heat_notexture/kernels/steps_in_shared.cuh"

__global__ static void __launch_bounds__(cudabook::heat::shared_threads* cudabook::heat::shared_threads)
    temporal_kernel(float* out, const float* in, const float* sources, int width, int height, int pitch,
                    float speed, int steps) {
    const auto cell = [=](int x, int y) { return in[x + static_cast<size_t>(y) * pitch]; };
    const auto source = [=](int x, int y) { return sources[x + static_cast<size_t>(y) * pitch]; };
    cudabook::heat::steps_in_shared(out, cell, source, width, height, pitch, speed, steps);
}
