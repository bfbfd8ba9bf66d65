// Many steps of a tile, in the registers of one block.
//
// A warp holds ten rows of 128 cells; a lane has four cells side by side of each. The cells above and below
// are registers of the same lane, those beside come from the next lanes by shuffles, and only a warp's first
// and last row pass through shared memory, to the warps above and below. So a step of four cells costs twenty
// operations of arithmetic, two shuffles and hardly anything else.
//
// With each step the tile loses a row and a column at each side that is not the grid's own edge: such a halo
// is loaded with the tile and computed in vain.
#pragma once

#include "common/cuda/launch.cuh"
#include "common/heat/kernels/mark_tiles.cuh"
#include "common/heat/register_tiling.hpp"

namespace cudabook::heat {

/// Whether one of these rows of a warp's columns has a source; asked by the whole warp.
__device__ inline bool sources_near(const bool* tile_has_source, int x, int y, int rows, int width,
                                    int height) {
    const int tiles_across = (width + static_cast<int>(tile_width) - 1) / static_cast<int>(tile_width);
    const int tile_x = x / static_cast<int>(tile_width) + threadIdx.x % 2;
    const int tile_y = y / static_cast<int>(tile_height) + threadIdx.x / 2;
    const int last_y = min(y + rows, height) - 1;
    const bool near = tile_x < tiles_across && tile_y <= last_y / static_cast<int>(tile_height);
    return __any_sync(~0U, near && tile_has_source[tile_x + static_cast<size_t>(tile_y) * tiles_across]);
}

/// Does `steps` steps of the grid's tile number blockIdx.x. cells(offset) and sources(offset) give four cells
/// of the grids that begin there, a multiple of four. What stands between a row's end and the next repeats
/// the row's last cell. Not `any_grid`: the width is a multiple of four and at least a tile's, so is the
/// height at least a tile's, and no temperature can become infinite.
template <bool any_grid, class Cells, class Sources>
__device__ void steps_in_registers(float* out, Cells cells, Sources sources, const bool* tile_has_source,
                                   int width, int height, int pitch, float speed, int steps) {
    constexpr int rows = register_rows;
    __shared__ float4
        boundary[2][register_warps][2][32];  // each warp's first and last row, of odd and even steps
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int warps = blockDim.y;

    // What the block writes, and the tile that it computes for that.
    const int out_width = register_columns - 2 * register_halo(steps);
    const int out_height = height <= warps * rows ? height : warps * rows - 2 * steps;
    const int across = (width + out_width - 1) / out_width;
    const int out_x = blockIdx.x % across * out_width;
    const int out_y = blockIdx.x / across * out_height;
    const int tile_x = max(out_x - register_halo(steps), 0);
    const int tile_y = max(min(out_y - steps, height - warps * rows), 0);
    const int x = tile_x + 4 * lane;
    const int y = tile_y + warp * rows;
    const auto offset_of = [&](int row) {
        const int inside = any_grid ? min(y + row, height - 1) : y + row;
        return min(x, pitch - 4) + static_cast<size_t>(inside) * pitch;
    };

    const bool has_source = y < height && sources_near(tile_has_source, tile_x, y, rows, width, height);

    float4 cell[rows];
    float4 cell_speed[rows];
    await_previous_launch();
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        cell[r] = cells(offset_of(r));
        cell_speed[r] = {speed, speed, speed, speed};
    }
    if (has_source) {
        // A source's temperature stays: its cell moves towards its neighbours with speed 0. (Where they may
        // be infinite that would not do, and its speed is no number.)
        const auto write = [](float source, float& to, float& to_speed) {
            if (source == 0) return;
            to = source;
            to_speed = any_grid ? __int_as_float(0x7fffffff) : 0.0F;
        };
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const float4 source = sources(offset_of(r));
            write(source.x, cell[r].x, cell_speed[r].x);
            write(source.y, cell[r].y, cell_speed[r].y);
            write(source.z, cell[r].z, cell_speed[r].z);
            write(source.w, cell[r].w, cell_speed[r].w);
        }
    }

    // At the grid's first and last row, the row beyond is the row itself.
    const int last_row = height - 1 - y;  // the grid's, counted from the warp's first
    float4* const own = boundary[0][warp][0] + lane;
    const float4* const above = y == 0 ? own : boundary[0][max(warp - 1, 0)][1] + lane;
    const float4* const below =
        last_row == rows - 1 ? own + 32 : boundary[0][min(warp + 1, warps - 1)][0] + lane;

    const auto run = [&](auto at_side, auto with_sources) {
        const auto blend = [](float s, float c, float t, float b, float l, float r) {
            const float next = fmaf(s, fmaf(-4, c, ((t + b) + l) + r), c);
            return any_grid && isnan(s) ? c : next;
        };
        const auto step_row = [&](const float4& s, const float4& top, const float4& c, const float4& bottom) {
            float left = __shfl_up_sync(~0U, c.w, 1);
            float right = __shfl_down_sync(~0U, c.x, 1);
            if (decltype(at_side)::value && x == 0) left = c.x;
            if (decltype(at_side)::value && x + 4 >= width) right = c.w;
            return float4{
                blend(s.x, c.x, top.x, bottom.x, left, c.y), blend(s.y, c.y, top.y, bottom.y, c.x, c.z),
                blend(s.z, c.z, top.z, bottom.z, c.y, c.w), blend(s.w, c.w, top.w, bottom.w, c.z, right)};
        };
        const auto step = [&](auto buffer, auto last) {
            constexpr int odd_or_even = decltype(buffer)::value * register_warps * 2 * 32;
            const auto speeds = [&](int r) {
                return decltype(with_sources)::value && !decltype(last)::value
                           ? cell_speed[r]
                           : float4{speed, speed, speed, speed};
            };
            own[odd_or_even] = cell[0];
            own[odd_or_even + 32] = cell[rows - 1];
            const float4 first = cell[0];
            const float4 second = cell[1];
            float4 top = first;
#pragma unroll
            for (int r = 1; r < rows - 1; ++r) {
                const float4 old = cell[r];
                cell[r] = step_row(speeds(r), top, old, cell[r + 1]);
                top = old;
            }
            __syncthreads();
            cell[0] = step_row(speeds(0), above[odd_or_even], first, second);
            cell[rows - 1] = step_row(speeds(rows - 1), top, cell[rows - 1], below[odd_or_even]);
            if (any_grid) {
#pragma unroll
                for (int r = 0; r < rows; ++r) {
                    if (r > 0 && r == last_row + 1) cell[r] = cell[r - 1];
                    if (x + 1 >= width) cell[r].y = cell[r].x;
                    if (x + 2 >= width) cell[r].z = cell[r].y;
                    if (x + 3 >= width) cell[r].w = cell[r].z;
                }
            }
        };
        // The steps by twos: so the compiler need not move the cells back to where they were.
        constexpr std::integral_constant<int, 0> even{};
        constexpr std::integral_constant<int, 1> odd{};
        if (steps % 2 == 0) step(even, std::false_type{});
#pragma unroll 1
        for (int pairs = (steps - 1) / 2; pairs > 0; --pairs) {
            step(odd, std::false_type{});
            step(even, std::false_type{});
        }
        step(odd, std::true_type{});
    };
    // All warps of a block run the same code, because they meet in it.
    const bool with_sources = __syncthreads_or(has_source);
    const bool at_side = tile_x == 0 || tile_x + register_columns >= width;
    constexpr std::true_type yes{};
    constexpr std::false_type no{};
    if (any_grid || (at_side && with_sources))
        run(yes, yes);
    else if (at_side)
        run(yes, no);
    else if (with_sources)
        run(no, yes);
    else
        run(no, no);

    if (x < out_x || x >= min(out_x + out_width, width)) return;
#pragma unroll
    for (int r = 0; r < rows; ++r)
        if (y + r >= out_y && y + r < min(out_y + out_height, height))
            *reinterpret_cast<float4*>(out + x + static_cast<size_t>(y + r) * pitch) = cell[r];
}

}  // namespace cudabook::heat
