// The tile of kernel `temporal` in registers, fetched as texels of four cells: a warp holds ten rows of 128
// cells and does up to sixteen steps with them (heat_notexture/kernels/steps_in_registers.cuh).
#pragma once

#include "heat_notexture/kernels/steps_in_registers.cuh"

template <bool any_grid>
__global__ static void __launch_bounds__(32 * cudabook::heat::register_warps)
    registers_kernel(float* out, cudaTextureObject_t in_fours, cudaTextureObject_t sources_fours,
                     const bool* tile_has_source, int width, int height, int pitch, float speed, int steps) {
    const auto fetch = [](cudaTextureObject_t fours, size_t offset) {
        return tex1Dfetch<float4>(fours, static_cast<int>(offset / 4));
    };
    const auto cells_at = [=](size_t offset) { return fetch(in_fours, offset); };
    const auto sources_at = [=](size_t offset) { return fetch(sources_fours, offset); };
    cudabook::heat::steps_in_registers<any_grid>(out, cells_at, sources_at, tile_has_source, width, height,
                                                 pitch, speed, steps);
}
