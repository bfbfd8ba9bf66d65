// Six steps for each load of a tile, which comes through a texture of two dimensions. The steps themselves
// are done in shared memory, where there are no textures (heat_notexture/kernels/steps_in_shared.cuh). Six
// steps of a cell now take two fetches instead of thirty, so the price of a fetch hardly matters any more.
#pragma once

#include "heat_notexture/kernels/steps_in_shared.cuh"

__global__ static void __launch_bounds__(cudabook::heat::shared_threads* cudabook::heat::shared_threads)
    temporal_kernel(float* out, cudaTextureObject_t in, cudaTextureObject_t sources, int width, int height,
                    int pitch, float speed, int steps) {
    const auto cell = [=](int x, int y) { return tex2D<float>(in, x + 0.5F, y + 0.5F); };
    const auto source = [=](int x, int y) { return tex2D<float>(sources, x + 0.5F, y + 0.5F); };
    cudabook::heat::steps_in_shared(out, cell, source, width, height, pitch, speed, steps);
}
