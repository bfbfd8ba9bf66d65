// Registers instead of shared memory hold a tile, which is fetched as texels of four cells. The kernel is
// heat_notexture's. A warp holds ten rows of 128 cells and does up to sixteen steps with them.
#pragma once

#include "heat_notexture/kernels/6_registers.cuh"

// Fetches the four cells of a grid that begin at `offset`, a multiple of four.
struct FetchFours {
    cudaTextureObject_t texels;
    __device__ float4 operator()(size_t offset) const {
        return tex1Dfetch<float4>(texels, static_cast<int>(offset / 4));
    }
};
