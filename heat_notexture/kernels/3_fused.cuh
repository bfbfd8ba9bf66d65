// One launch does a step. Differences from the two launches of the book:
//  - A thread has four consecutive cells, which it reads and writes as 16 bytes at once. Four cells take five
//    loads instead of 20, because neighbours within the thread are in its registers.
//  - The next step's sources replace the new values in this launch, not in a launch of their own.
//  - Only the tiles that have a source read the sources.
// Rows begin at a multiple of four cells; the cells between a row's end and the next row repeat the row's
// last cell.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "heat_notexture/kernels/mark_tiles.cuh"

__global__ static void fused_kernel(float* out, const float* in, const float* sources,
                                    const bool* tile_has_source, unsigned width, unsigned height,
                                    unsigned pitch, float speed, bool write_sources) {
    using cudabook::heat::tile_height, cudabook::heat::tile_width;
    cudabook::await_previous_launch();
    const unsigned tiles_across = (width + tile_width - 1) / tile_width;
    const unsigned x = 4 * threadIdx.x + blockIdx.x % tiles_across * tile_width;
    const unsigned y = threadIdx.y + blockIdx.x / tiles_across * tile_height;
    if (x >= width || y >= height) return;

    const size_t offset = x + static_cast<size_t>(y) * pitch;
    const auto four = [](const float* cells) { return *reinterpret_cast<const float4*>(cells); };
    const float4 cell = four(in + offset);
    const float4 top = y == 0 ? cell : four(in + offset - pitch);
    const float4 bottom = y == height - 1 ? cell : four(in + offset + pitch);
    const float left = x == 0 ? cell.x : in[offset - 1];
    const float right = x + 4 >= width ? cell.w : in[offset + 4];

    const auto blend = [speed](float c, float t, float b, float l, float r) {
        return fmaf(speed, fmaf(-4, c, ((t + b) + l) + r), c);
    };
    float4 next{blend(cell.x, top.x, bottom.x, left, cell.y), blend(cell.y, top.y, bottom.y, cell.x, cell.z),
                blend(cell.z, top.z, bottom.z, cell.y, cell.w),
                blend(cell.w, top.w, bottom.w, cell.z, right)};
    if (write_sources && tile_has_source[blockIdx.x]) {
        const float4 source = four(sources + offset);
        if (source.x != 0) next.x = source.x;
        if (source.y != 0) next.y = source.y;
        if (source.z != 0) next.z = source.z;
        if (source.w != 0) next.w = source.w;
    }
    if (x + 1 >= width) next.y = next.x;
    if (x + 2 >= width) next.z = next.y;
    if (x + 3 >= width) next.w = next.z;
    *reinterpret_cast<float4*>(out + offset) = next;
}
