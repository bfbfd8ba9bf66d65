// A tile is loaded through a two-dimensional texture, once for six steps. The kernel is heat_notexture's. The
// steps themselves are done in shared memory, where there are no textures. Six steps of a cell now take two
// fetches instead of thirty, so the cost of a fetch hardly matters any more.
#pragma once

#include "heat_notexture/kernels/5_temporal.cuh"

// Fetches the cell at column x and row y of a grid.
struct FetchCell {
    cudaTextureObject_t texels;
    __device__ float operator()(int x, int y, int) const { return tex2D<float>(texels, x + 0.5F, y + 0.5F); }
};
