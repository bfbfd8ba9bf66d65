// One launch does a step, and the texels are wider. Differences from the two launches of the book:
//  - In a clock, the texture unit gives a multiprocessor at most eight texels of 4 bytes, or four texels of
//    16 bytes, which hold twice as many cells. So a thread takes four consecutive cells and fetches three
//    texels of float4. In the book, four threads fetch 20 texels of float.
//  - The left and right neighbours are in the registers of adjacent threads. Only a warp's first and last
//    thread fetch a neighbour, through a second texture over the same memory, whose texels are floats.
//  - The next step's sources replace the new values in this launch, not in a launch of their own.
//  - Only the tiles that have a source fetch the sources.
// Rows begin at a multiple of four cells; the cells between a row's end and the next row repeat the row's
// last cell.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "heat_notexture/kernels/mark_tiles.cuh"

__global__ static void fused_kernel(float* out, cudaTextureObject_t in, cudaTextureObject_t in_fours,
                                    cudaTextureObject_t sources_fours, const bool* tile_has_source,
                                    unsigned width, unsigned height, unsigned pitch, float speed,
                                    bool write_sources) {
    using cudabook::heat::tile_height, cudabook::heat::tile_width;
    cudabook::await_previous_launch();
    const unsigned tiles_across = (width + tile_width - 1) / tile_width;
    const unsigned x = 4 * threadIdx.x + blockIdx.x % tiles_across * tile_width;
    const unsigned y = threadIdx.y + blockIdx.x / tiles_across * tile_height;
    const unsigned lanes = __ballot_sync(~0U, x < width);
    if (x >= width || y >= height) return;

    const unsigned offset = x + y * pitch;
    const float4 cell = tex1Dfetch<float4>(in_fours, offset / 4);
    const float4 top = y == 0 ? cell : tex1Dfetch<float4>(in_fours, (offset - pitch) / 4);
    const float4 bottom = y == height - 1 ? cell : tex1Dfetch<float4>(in_fours, (offset + pitch) / 4);
    float left = __shfl_up_sync(lanes, cell.w, 1);
    if (threadIdx.x == 0) left = x == 0 ? cell.x : tex1Dfetch<float>(in, offset - 1);
    float right = __shfl_down_sync(lanes, cell.x, 1);
    if (x + 4 >= width)
        right = cell.w;
    else if (threadIdx.x == 31)
        right = tex1Dfetch<float>(in, offset + 4);

    const auto blend = [speed](float c, float t, float b, float l, float r) {
        return fmaf(speed, fmaf(-4, c, ((t + b) + l) + r), c);
    };
    float4 next{blend(cell.x, top.x, bottom.x, left, cell.y), blend(cell.y, top.y, bottom.y, cell.x, cell.z),
                blend(cell.z, top.z, bottom.z, cell.y, cell.w),
                blend(cell.w, top.w, bottom.w, cell.z, right)};
    if (write_sources && tile_has_source[blockIdx.x]) {
        const float4 source = tex1Dfetch<float4>(sources_fours, offset / 4);
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
