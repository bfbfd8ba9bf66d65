// The tile of kernel `temporal` in registers, fetched as texels of four cells; the kernel is
// heat_notexture's. A warp holds ten rows of 128 cells and does up to sixteen steps with them.
#pragma once

#include "heat_notexture/kernels/6_registers.cuh"

// The four cells of a grid that begin at an offset, a multiple of four.
struct FetchFours {
    cudaTextureObject_t texels;
    __device__ float4 operator()(size_t offset) const {
        return tex1Dfetch<float4>(texels, static_cast<int>(offset / 4));
    }
};
