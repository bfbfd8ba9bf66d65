// The sources of a frame's first step, for the kernels of which each step writes the next one's. One thread a
// cell.
#pragma once

namespace cudabook::heat {

__global__ static void write_sources_kernel(float* cells, const float* sources, unsigned width,
                                            unsigned height) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const size_t offset = x + static_cast<size_t>(y) * width;
        if (sources[offset] != 0) cells[offset] = sources[offset];
    }
}

}  // namespace cudabook::heat
