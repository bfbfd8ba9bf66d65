// Which rows a block of kernel `streamed` does, and where they lie.
//
// A share of a grid is a block's work (gpu/stream_cuts.hpp). Shares with sources run other code than shares
// without sources. On neighbouring multiprocessors, the two codes slow each other down, probably because two
// multiprocessors share an instruction cache. So a block takes its share when it starts, and the number of
// its multiprocessor decides whether it takes a share with sources.
#pragma once

#include "common/cuda/ptx/special_registers.cuh"
#include "heat_notexture/gpu/stream_tiling.hpp"

namespace cudabook::heat {

// Returns the number of the share that the block does. The blocks of a launch take the shares in turn. The
// multiprocessors with the lowest numbers take the shares with sources first. The last block clears `taken`
// for the next launch.
__device__ inline int take_share(const StreamCuts& cuts, TakenShares* taken) {
    if (cuts.with_sources == 0) return static_cast<int>(blockIdx.x);
    const int without_sources = static_cast<int>(gridDim.x) - cuts.with_sources;
    bool with_sources = ptx::multiprocessor_number() < static_cast<unsigned>(cuts.with_sources);
    int number = atomicAdd(with_sources ? &taken->with_sources : &taken->without_sources, 1);
    if (number >= (with_sources ? cuts.with_sources : without_sources)) {
        with_sources = !with_sources;
        number = atomicAdd(with_sources ? &taken->with_sources : &taken->without_sources, 1);
    }
    __threadfence();
    if (atomicAdd(&taken->blocks, 1) + 1 == static_cast<int>(gridDim.x)) {
        atomicExch(&taken->with_sources, 0);
        atomicExch(&taken->without_sources, 0);
        atomicExch(&taken->blocks, 0);
        __threadfence();
    }
    return with_sources ? number : cuts.with_sources + number;
}

// The rows of a share, and where they lie in memory.
struct StreamShare {
    Bands bands;
    RowsInLine line;
    int next, end;  // places in the line
    int pitch, steps;

    __device__ bool take(Stretch& stretch) { return line.take(next, end, stretch); }
    // Rows enter and leave in groups of three. A row leaves when the row `steps` rows below it enters.
    __device__ int groups(const Stretch& s) const { return (s.bottom - s.top + 2 * steps + 2) / 3; }
    __device__ int first_to_enter(const Stretch& s) const { return s.top - steps; }
    __device__ int first_to_leave(const Stretch& s) const { return s.top - 2 * steps; }

    // Beyond the grid's first and last row, the rows are mirrored.
    __device__ int inside(int y) const {
        return y < 0 ? -1 - y : y >= line.height ? 2 * line.height - 1 - y : y;
    }
    __device__ size_t offset(int x, int y) const { return x + static_cast<size_t>(inside(y)) * pitch; }
    // Returns the index in the bit grid of a band's first word in row y. x: the band's first column.
    __device__ size_t first_bits(int x, int y) const {
        return first_source_word(x) + static_cast<size_t>(inside(y)) * source_words(bands.width);
    }
};

}  // namespace cudabook::heat
