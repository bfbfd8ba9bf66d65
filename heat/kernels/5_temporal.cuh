// Six steps for each load of a tile, which comes through a texture of two dimensions; the kernel is
// heat_notexture's. The steps themselves are done in shared memory, where there are no textures. Six steps of
// a cell now take two fetches instead of thirty, so the price of a fetch hardly matters any more.
#pragma once

#include "heat_notexture/kernels/5_temporal.cuh"

// The cell of a grid at a column and a row.
struct FetchCell {
    cudaTextureObject_t texels;
    __device__ float operator()(int x, int y, int) const { return tex2D<float>(texels, x + 0.5F, y + 0.5F); }
};
