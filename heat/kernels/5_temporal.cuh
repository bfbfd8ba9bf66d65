// Six steps for each load of a tile, which comes through a texture of two dimensions; the steps themselves
// are done in shared memory, where there are no textures (common/heat/kernels/steps_in_shared.cuh). The
// fetches are now two for six steps of a cell instead of thirty, so their price hardly matters any more.
#pragma once

#include "common/heat/kernels/steps_in_shared.cuh"

__global__ static void __launch_bounds__(cudabook::heat::shared_threads* cudabook::heat::shared_threads)
    temporal_kernel(float* out, cudaTextureObject_t in, cudaTextureObject_t sources, int width, int height,
                    int pitch, float speed, int steps) {
    const auto fetch = [](cudaTextureObject_t grid) {
        return [=](int x, int y) { return tex2D<float>(grid, x + 0.5F, y + 0.5F); };
    };
    cudabook::heat::steps_in_shared(out, fetch(in), fetch(sources), width, height, pitch, speed, steps);
}
