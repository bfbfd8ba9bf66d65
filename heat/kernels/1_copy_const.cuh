// A source keeps its temperature: before each step, this kernel writes the sources into the grid. One thread
// for each cell reads the source through a linear texture; if the source is 0, the cell stays as it is. The
// loop is for grids with more rows than one launch covers.
#pragma once

__global__ static void copy_const_kernel(float* in, cudaTextureObject_t sources, unsigned width,
                                         unsigned height, unsigned pitch) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const int offset = static_cast<int>(x + y * pitch);
        const float source = tex1Dfetch<float>(sources, offset);
        if (source != 0) in[offset] = source;
    }
}
