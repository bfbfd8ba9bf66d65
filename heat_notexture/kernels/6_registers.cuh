// The tile moves from shared memory into registers, which are larger and closer: 256 KB a multiprocessor, and
// no instruction to load a cell. A thread keeps four columns of ten rows. The neighbours above and below are
// in its own registers, those beside come by shuffles, and one row in five passes through shared memory. A
// launch does up to sixteen steps. They are in heat_notexture/kernels/steps_in_registers.cuh.
#pragma once

#include "heat_notexture/kernels/steps_in_registers.cuh"

template <bool any_grid>
__global__ static void __launch_bounds__(32 * cudabook::heat::register_warps)
    registers_kernel(float* out, const float* in, const float* sources, const bool* tile_has_source,
                     int width, int height, int pitch, float speed, int steps) {
    const auto cells_at = [=](size_t offset) { return *reinterpret_cast<const float4*>(in + offset); };
    const auto sources_at = [=](size_t offset) { return *reinterpret_cast<const float4*>(sources + offset); };
    cudabook::heat::steps_in_registers<any_grid>(out, cells_at, sources_at, tile_has_source, width, height,
                                                 pitch, speed, steps);
}
