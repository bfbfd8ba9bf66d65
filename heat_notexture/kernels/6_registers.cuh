// Registers hold the tile, instead of shared memory: registers are larger, 256 KB on each multiprocessor, and
// a cell in a register needs no load instruction. A launch does up to sixteen steps.
//
// A warp holds ten rows of 128 cells; a lane has four consecutive cells of each row. The cells above and
// below are registers of the same lane, the cells at the left and right come from the next lanes by shuffles,
// and only a warp's first and last row pass through shared memory, to the warps above and below. So a step of
// four cells costs twenty instructions of arithmetic, two shuffles and hardly anything else.
//
// With each step the tile loses a row and a column at each side that is not the grid's own edge. These cells,
// the halo, are loaded with the tile, and computing them is redundant.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/kernels/mark_tiles.cuh"

namespace cudabook::heat {

// The first and last row of each warp, for the warps above and below: one copy for even steps, one for odd.
struct SharedRows {
    float4 row[2][register_warps][2][32];
};

// The first cell of a tile, and the cells that a block writes: from out_x and out_y up to, but not including,
// out_right and out_bottom.
struct BlockTile {
    int x, y;
    int out_x, out_y;
    int out_right, out_bottom;
};

// Returns tile number `number`, `rows` cells high. A tile at an edge of the grid loses no cells there.
__device__ inline BlockTile tile_number(int number, int rows, int width, int height, int steps) {
    const int halo = register_halo(steps);
    const int across = tiles_along(width, register_columns, halo);
    const int column = number % across;
    const int row = number / across;
    BlockTile tile;
    tile.x = column * (register_columns - 2 * halo);
    tile.y = max(min(row * (rows - 2 * steps), height - rows), 0);
    tile.out_x = column == 0 ? 0 : tile.x + halo;
    tile.out_y = row == 0 ? 0 : row * (rows - 2 * steps) + steps;
    tile.out_right = column + 1 == across ? width : tile.x + register_columns - halo;
    tile.out_bottom = tile.y + rows >= height ? height : tile.y + rows - steps;
    return tile;
}

// A warp has the cells of `rows` rows from (x, y). Each of its first lanes looks up one tile of
// mark_tiles.cuh that overlaps these rows. Returns whether the lane's tile has a source.
__device__ inline bool lane_finds_source(const bool* tile_has_source, int x, int y, int rows, int width,
                                         int height) {
    const int tiles_across = (width + static_cast<int>(tile_width) - 1) / static_cast<int>(tile_width);
    const int tile_x = x / static_cast<int>(tile_width) + threadIdx.x % 2;
    const int tile_y = y / static_cast<int>(tile_height) + threadIdx.x / 2;
    const int last_y = min(y + rows, height) - 1;
    return tile_x < tiles_across && tile_y <= last_y / static_cast<int>(tile_height) &&
           tile_has_source[tile_x + static_cast<size_t>(tile_y) * tiles_across];
}

// A lane's part of its warp: four cells of each row. any_grid: see registers_kernel().
template <bool any_grid, int rows>
struct Lane {
    float4 cell[rows];
    float4 cell_speed[rows];  // `speed`; in a source, 0 or NaN (see write_source())
    float speed;
    int x, y;  // the column and row of the first cell
    int width, height, pitch;
    float4* own;          // where shared memory holds the warp's first row; the warp's last row follows
    const float4* above;  // the last row of the warp above
    const float4* below;  // the first row of the warp below

    // Beyond the grid's first or last row, the neighbour of a row is the row itself.
    __device__ void begin(const BlockTile& tile, SharedRows& shared) {
        const int warp = threadIdx.y;
        const int warps = blockDim.y;
        x = tile.x + 4 * threadIdx.x;
        y = tile.y + warp * rows;
        own = &shared.row[0][warp][0][threadIdx.x];
        above = y == 0 ? own : &shared.row[0][max(warp - 1, 0)][1][threadIdx.x];
        below = y + rows == height ? own + 32 : &shared.row[0][min(warp + 1, warps - 1)][0][threadIdx.x];
    }

    // Returns the offset of the lane's cells in a row, or of cells inside the grid if these are outside.
    __device__ size_t offset(int row) const {
        const int inside = any_grid ? min(y + row, height - 1) : y + row;
        return min(x, pitch - 4) + static_cast<size_t>(inside) * pitch;
    }

    // A source keeps its temperature: its cell moves towards its neighbours with speed 0. If the neighbours
    // may be infinite, 0 times infinity would be NaN, so the speed NaN marks the source instead.
    __device__ static void write_source(float source, float& cell, float& cell_speed) {
        if (source == 0) return;
        cell = source;
        cell_speed = any_grid ? __int_as_float(0x7fffffff) : 0.0F;
    }

    template <class Sources>
    __device__ void write_sources(Sources sources) {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const float4 source = sources(offset(r));
            write_source(source.x, cell[r].x, cell_speed[r].x);
            write_source(source.y, cell[r].y, cell_speed[r].y);
            write_source(source.z, cell[r].z, cell_speed[r].z);
            write_source(source.w, cell[r].w, cell_speed[r].w);
        }
    }

    __device__ static float blend(float speed, float cell, float top, float bottom, float left, float right) {
        const float next = fmaf(speed, fmaf(-4, cell, ((top + bottom) + left) + right), cell);
        return any_grid && isnan(speed) ? cell : next;
    }

    // Returns the next values of four cells of a row. at_side: the tile touches the grid's left or right
    // edge, where the cell beyond the edge is the cell itself.
    template <bool at_side>
    __device__ float4 next_of(float4 c, float4 top, float4 bottom, float4 s) const {
        float left = __shfl_up_sync(~0U, c.w, 1);
        float right = __shfl_down_sync(~0U, c.x, 1);
        if (at_side && x == 0) left = c.x;
        if (at_side && x + 4 >= width) right = c.w;
        return {blend(s.x, c.x, top.x, bottom.x, left, c.y), blend(s.y, c.y, top.y, bottom.y, c.x, c.z),
                blend(s.z, c.z, top.z, bottom.z, c.y, c.w), blend(s.w, c.w, top.w, bottom.w, c.z, right)};
    }

    // Does one step. The inner rows need no cells of other warps, so they are computed while the other warps
    // write their rows.
    template <bool at_side, bool with_sources, int copy>
    __device__ void step() {
        constexpr int last = rows - 1;
        constexpr int in_copy = copy * register_warps * 2 * 32;
        const auto speed_of = [this](int r) {
            return with_sources ? cell_speed[r] : float4{speed, speed, speed, speed};
        };
        own[in_copy] = cell[0];
        own[in_copy + 32] = cell[last];
        const float4 first = cell[0];
        const float4 second = cell[1];
        float4 top = first;
#pragma unroll
        for (int r = 1; r < last; ++r) {
            const float4 old = cell[r];
            cell[r] = next_of<at_side>(old, top, cell[r + 1], speed_of(r));
            top = old;
        }
        __syncthreads();
        cell[0] = next_of<at_side>(first, above[in_copy], second, speed_of(0));
        cell[last] = next_of<at_side>(cell[last], top, below[in_copy], speed_of(last));
        if (any_grid) repeat_edges();
    }

    // Repeats the last cells of the grid beyond its last column and row.
    __device__ float4 with_last_column(float4 c) const {
        if (x + 1 >= width) c.y = c.x;
        if (x + 2 >= width) c.z = c.y;
        if (x + 3 >= width) c.w = c.z;
        return c;
    }
    __device__ void repeat_edges() {
        const int first_beyond = height - y;
        float4 previous = cell[0];
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            previous = with_last_column(r == first_beyond ? previous : cell[r]);
            cell[r] = previous;
        }
    }

    // Does the steps in pairs, so that the compiler need not move the cells back to the registers where they
    // were. The last step does not keep the sources, because the next launch writes them.
    template <bool at_side, bool with_sources>
    __device__ void do_steps(int steps) {
        if (steps % 2 == 0) step<at_side, with_sources, 0>();
#pragma unroll 1
        for (int pairs = (steps - 1) / 2; pairs > 0; --pairs) {
            step<at_side, with_sources, 1>();
            step<at_side, with_sources, 0>();
        }
        step<at_side, false, 1>();
    }

    // Does all steps of a block's tile. with_sources: a warp of the block may have a source.
    __device__ void do_steps(const BlockTile& tile, bool with_sources, int steps) {
        const bool at_side = tile.x == 0 || tile.x + register_columns >= width;
        if (any_grid || (at_side && with_sources))
            do_steps<true, true>(steps);
        else if (at_side)
            do_steps<true, false>(steps);
        else if (with_sources)
            do_steps<false, true>(steps);
        else
            do_steps<false, false>(steps);
    }

    __device__ void store(float* out, const BlockTile& tile) const {
        if (x < tile.out_x || x >= tile.out_right) return;
#pragma unroll
        for (int r = 0; r < rows; ++r)
            if (y + r >= tile.out_y && y + r < tile.out_bottom)
                *reinterpret_cast<float4*>(out + x + static_cast<size_t>(y + r) * pitch) = cell[r];
    }
};

}  // namespace cudabook::heat

// Reads the four cells of a grid that begin at `offset`, a multiple of four.
struct LoadFours {
    const float* cells;
    __device__ float4 operator()(size_t offset) const {
        return *reinterpret_cast<const float4*>(cells + offset);
    }
};

// Does `steps` steps of the grid's tile number blockIdx.x. Fours reads a grid: LoadFours, or sample heat's
// FetchFours. The cells between a row's end and the next row repeat the row's last cell. If any_grid is
// false, the width must be a multiple of four and at least a tile's width, the height must be at least a
// tile's height, and no temperature can become infinite.
template <bool any_grid, class Fours>
__global__ static void __launch_bounds__(32 * cudabook::heat::register_warps)
    registers_kernel(float* out, Fours in, Fours sources, const bool* tile_has_source, int width, int height,
                     int pitch, float speed, int steps) {
    using namespace cudabook::heat;
    __shared__ SharedRows shared;
    const BlockTile tile = tile_number(blockIdx.x, blockDim.y * register_rows, width, height, steps);
    Lane<any_grid, register_rows> lane;
    lane.speed = speed;
    lane.width = width;
    lane.height = height;
    lane.pitch = pitch;
    lane.begin(tile, shared);

    const bool has_source =
        __any_sync(~0U, lane.y < height &&
                            lane_finds_source(tile_has_source, tile.x, lane.y, register_rows, width, height));
    cudabook::await_previous_launch();
#pragma unroll
    for (int r = 0; r < register_rows; ++r) {
        lane.cell[r] = in(lane.offset(r));
        lane.cell_speed[r] = {speed, speed, speed, speed};
    }
    if (has_source) lane.write_sources(sources);

    // All warps of a block run the same code, because they meet at its barriers.
    lane.do_steps(tile, __syncthreads_or(has_source), steps);
    lane.store(out, tile);
}
