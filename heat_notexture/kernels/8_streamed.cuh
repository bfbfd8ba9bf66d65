// Kernels `registers` and `prefetched` hold a tile, and lose a row and a column at each side with each step.
// Here the rows stream. A block goes down a band of columns, and a row that enters has done all steps of the
// launch when it leaves. A warp does three steps. For each step it holds three rows in registers, 12 or 20
// cells a lane: the row that arrives completes the step of the row before. From warp to warp a row
// goes through a ring in shared memory. So rows are computed twice only where a block begins and ends.
//
// Four more warps carry the rows from memory into the first ring, and from the last ring to memory. So all
// warps that compute run the same instructions, few beside the arithmetic. Needs compute capability 9.0: the
// warps that carry give most of their registers to the warps that compute.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "common/cuda/ptx/bulk_store.cuh"
#include "common/cuda/ptx/mbarrier.cuh"
#include "common/cuda/ptx/prefetch.cuh"
#include "common/cuda/ptx/warpgroup.cuh"
#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/kernels/mark_tiles.cuh"

namespace cudabook::heat {

constexpr int stream_slots = 3;  // of a ring, each of three rows
constexpr int stream_threads = 32 * stream_warps + 128;

// Ring w has the rows for warp w, the last ring the rows that are done. A bit of `sources` is a cell that
// keeps its temperature.
template <int columns>
struct Rings {
    float4 rows[stream_warps + 1][stream_slots][3][32][columns / 4];
    unsigned sources[stream_warps + 1][stream_slots][3][32];
    bool has_sources[stream_warps + 1][stream_slots];
    ptx::Barrier arrived[stream_slots];  // from memory in the first ring
    ptx::Barrier full[stream_warps + 1][stream_slots];
    ptx::Barrier empty[stream_warps + 1][stream_slots];
};

// The slot whose turn it is, and the parity of its barriers' phase.
struct Turn {
    int slot = 0;
    unsigned parity = 0;
    __device__ void pass() {
        slot = slot + 1 == stream_slots ? 0 : slot + 1;
        parity ^= slot == 0;
    }
};

// The rows that a block does, and where they lie.
struct StreamShare {
    Bands bands;
    RowsInLine line;
    int next, end;  // places in the line
    int pitch, steps;

    __device__ bool take(Stretch& stretch) { return line.take(next, end, stretch); }
    // The rows enter and leave in groups of three. A row leaves when the row `steps` below it enters.
    __device__ int groups(const Stretch& s) const { return (s.bottom - s.top + 2 * steps + 2) / 3; }
    __device__ int first_to_enter(const Stretch& s) const { return s.top - steps; }
    __device__ int first_to_leave(const Stretch& s) const { return s.top - 2 * steps; }

    // Beyond the grid's first and last row, the rows are mirrored.
    __device__ int inside(int y) const {
        return y < 0 ? -1 - y : y >= line.height ? 2 * line.height - 1 - y : y;
    }
    __device__ size_t offset(int x, int y) const { return x + static_cast<size_t>(inside(y)) * pitch; }
};

// The four cells at `from`, which are sources or 0.
__device__ inline float4 load_sources(const float* from) { return *reinterpret_cast<const float4*>(from); }

// Writes the sources into four cells. Returns the bits of the cells that are sources.
__device__ inline unsigned write_sources(float4& cells, const float4& sources) {
    const float4 old = cells;
    cells = {sources.x != 0 ? sources.x : old.x, sources.y != 0 ? sources.y : old.y,
             sources.z != 0 ? sources.z : old.z, sources.w != 0 ? sources.w : old.w};
    return (sources.x != 0) | (sources.y != 0) << 1 | (sources.z != 0) << 2 | (sources.w != 0) << 3;
}

// One thread copies the rows to the first ring.
template <int columns>
__device__ void copy_rows(Rings<columns>& rings, StreamShare share, const float* in) {
    constexpr int row_bytes = sizeof(rings.rows[0][0][0]);
    Turn turn;
    for (Stretch s; share.take(s);)
        for (int g = share.groups(s), y = share.first_to_enter(s); g > 0; --g) {
            ptx::Barrier& arrived = rings.arrived[turn.slot];
            ptx::wait(rings.empty[0][turn.slot], turn.parity ^ 1);
            ptx::arrive_and_expect(arrived, 3 * row_bytes);
            for (int r = 0; r < 3; ++r, ++y)
                ptx::copy(rings.rows[0][turn.slot][r], in + share.offset(share.bands.begin(s.band), y),
                          row_bytes, arrived);
            turn.pass();
        }
}

// Two warps take turns: each passes every other group on to the first warp that computes, with its sources.
// is_second: whether the other warp begins.
template <int columns>
__device__ void pass_rows_on(Rings<columns>& rings, StreamShare share, bool is_second, const float* sources,
                             const bool* tile_has_source) {
    constexpr int tile_columns = tile_width;
    const int lane = threadIdx.x;
    const int tiles_across = (share.bands.width + tile_columns - 1) / tile_columns;
    Turn turn;
    bool has_turn = is_second;
    for (Stretch s; share.take(s);) {
        const int x = share.bands.begin(s.band);
        const int tile_x = x / tile_columns + lane % 8;
        const bool in_band = lane < 24 && tile_x * tile_columns < x + 32 * columns;
        for (int g = share.groups(s), y = share.first_to_enter(s); g > 0; --g, y += 3, turn.pass()) {
            has_turn = !has_turn;
            // Lanes 0 to 7 look at the tiles of the first row, 8 to 15 of the second, 16 to 23 of the third.
            const int tile_y = share.inside(y + lane / 8) / static_cast<int>(tile_height);
            const bool found =
                has_turn && in_band && tile_has_source[tile_x + static_cast<size_t>(tile_y) * tiles_across];
            const bool has_sources = __any_sync(~0U, found);
            const auto sources_of = [&](int r) { return sources + share.offset(x + columns * lane, y + r); };
            for (int r = 0; has_sources && r < 3; ++r)
                for (int c = 0; c < columns; c += 8) prefetch_to_l2(sources_of(r) + c);
            // Both warps wait for each group, and arrive. So no warp is overtaken by two phases.
            ptx::wait(rings.arrived[turn.slot], turn.parity);
            for (int r = 0; has_sources && r < 3; ++r) {
                float4 source[columns / 4];
#pragma unroll
                for (int i = 0; i < columns / 4; ++i) source[i] = load_sources(sources_of(r) + 4 * i);
                unsigned bits = 0;
#pragma unroll
                for (int i = 0; i < columns / 4; ++i)
                    bits |= write_sources(rings.rows[0][turn.slot][r][lane][i], source[i]) << 4 * i;
                rings.sources[0][turn.slot][r][lane] = bits;
            }
            if (has_sources) ptx::publish_to_copies();
            if (has_turn && lane == 0) rings.has_sources[0][turn.slot] = has_sources;
            __syncwarp();
            if (lane == 0) ptx::arrive(rings.full[0][turn.slot]);
        }
    }
}

// One thread stores the rows of the last ring.
template <int columns>
__device__ void store_rows(Rings<columns>& rings, StreamShare share, int last_ring, float* out) {
    Turn turn;
    for (Stretch s; share.take(s);) {
        const int begin = share.bands.first_written(s.band);
        const int bytes = (share.bands.first_written(s.band + 1) - begin) * int{sizeof(float)};
        const int fours = (begin - share.bands.begin(s.band)) / 4;
        for (int g = share.groups(s), y = share.first_to_leave(s); g > 0; --g) {
            ptx::wait(rings.full[last_ring][turn.slot], turn.parity);
            for (int r = 0; r < 3; ++r, ++y)
                if (y >= s.top && y < s.bottom)
                    ptx::store(out + begin + static_cast<size_t>(y) * share.pitch,
                               &rings.rows[last_ring][turn.slot][r][0][0] + fours, bytes);
            ptx::await_reads_of_stores();
            ptx::arrive(rings.empty[last_ring][turn.slot]);
            turn.pass();
        }
    }
    ptx::await_stores();
}

// A lane of a warp that computes. row[s][r] is, of the rows whose number modulo 3 is r, the newest that has
// done s of the warp's steps.
template <int columns>
struct StreamLane {
    Rings<columns>& rings;
    int warp;
    bool is_last;
    float speed;
    bool at_left = false, at_right = false;  // whether the lane has the grid's first or last column
    float row[steps_of_warp][3][columns] = {};
    // Of the row that a step computes: the cells beside the lane's, and which cells are sources.
    float before[steps_of_warp] = {}, after[steps_of_warp] = {};
    unsigned sources[steps_of_warp] = {};

    __device__ void load(int slot, int r) {
#pragma unroll
        for (int i = 0; i < columns / 4; ++i) {
            const float4 four = rings.rows[warp][slot][r][threadIdx.x][i];
            row[0][r][4 * i] = four.x;
            row[0][r][4 * i + 1] = four.y;
            row[0][r][4 * i + 2] = four.z;
            row[0][r][4 * i + 3] = four.w;
        }
    }

    // Row r of a group has arrived: does the warp's steps of the rows above it. Calls then() after the first
    // step, when the oldest row is no longer needed. The branch for the sources keeps the compiler from
    // interleaving the steps.
    template <int steps, int r, class Then>
    __device__ void do_steps(int slot, bool with_sources, Then then) {
        float done[columns] = {};
#pragma unroll
        for (int s = 0; s < steps; ++s) {
            const auto& top = row[s][(r + 1) % 3];
            const auto& middle = row[s][(r + 2) % 3];
            const auto& bottom = row[s][r];
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                const float left = c == 0 ? before[s] : middle[max(c - 1, 0)];
                const float right = c + 1 == columns ? after[s] : middle[min(c + 1, columns - 1)];
                done[c] = fmaf(speed, fmaf(-4, middle[c], ((top[c] + bottom[c]) + left) + right), middle[c]);
            }
            if (with_sources && !(is_last && s + 1 == steps)) {
#pragma unroll
                for (int c = 0; c < columns; ++c)
                    if ((sources[s] >> c & 1) != 0) done[c] = middle[c];
            }
            const float from_left = __shfl_up_sync(~0U, bottom[columns - 1], 1);
            const float from_right = __shfl_down_sync(~0U, bottom[0], 1);
            before[s] = at_left ? bottom[0] : from_left;
            after[s] = at_right ? bottom[columns - 1] : from_right;
            if (s + 1 < steps) {
#pragma unroll
                for (int c = 0; c < columns; ++c) row[min(s + 1, steps - 1)][r][c] = done[c];
            }
            if (s == 0) then();
        }
#pragma unroll
        for (int i = 0; i < columns / 4; ++i)
            rings.rows[warp + 1][slot][r][threadIdx.x][i] = {done[4 * i], done[4 * i + 1], done[4 * i + 2],
                                                             done[4 * i + 3]};
    }

    // Row r of a group has done its steps: the row below it is the next that each step computes.
    __device__ void shift_sources(int slot, int r, unsigned arrived) {
        rings.sources[warp + 1][slot][r][threadIdx.x] = sources[2];
        sources[2] = sources[1];
        sources[1] = sources[0];
        sources[0] = arrived;
    }

    // The group in the slot has arrived, and its first row is in row[0][0]. Does its steps, and calls next()
    // when the first row of the next group may be loaded.
    template <int steps, class Next>
    __device__ void do_group(const Turn turn, bool has_sources, bool had_sources, Next next) {
        const int slot = turn.slot;
        const bool with_sources = has_sources || had_sources;
        unsigned arrived[3] = {};
        if (has_sources)
            for (int r = 0; r < 3; ++r) arrived[r] = rings.sources[warp][slot][r][threadIdx.x];
        do_steps<steps, 0>(slot, with_sources, [&] {
            load(slot, 1);
            ptx::wait(rings.empty[warp + 1][slot], turn.parity ^ 1);
        });
        if (with_sources) shift_sources(slot, 0, arrived[0]);
        do_steps<steps, 1>(slot, with_sources, [&] {
            load(slot, 2);
            __syncwarp();
            if (threadIdx.x == 0) ptx::arrive(rings.empty[warp][slot]);
        });
        if (with_sources) shift_sources(slot, 1, arrived[1]);
        do_steps<steps, 2>(slot, with_sources, next);
        if (with_sources) shift_sources(slot, 2, arrived[2]);
    }

    // Does the warp's steps, at most three, of all rows.
    template <int steps>
    __device__ void run(StreamShare share) {
        Turn turn;
        for (Stretch s; share.take(s);) {
            const int x = share.bands.begin(s.band);
            at_left = x == 0 && threadIdx.x == 0;
            at_right = x + 32 * columns == share.bands.width && threadIdx.x == 31;
            for (unsigned& bits : sources) bits = 0;
            bool had_sources = false;
            ptx::wait(rings.full[warp][turn.slot], turn.parity);
            bool has_sources = rings.has_sources[warp][turn.slot];
            load(turn.slot, 0);
            for (int g = share.groups(s); g > 0; --g) {
                const Turn now = turn;
                turn.pass();
                bool next_has_sources = false;
                do_group<steps>(now, has_sources, had_sources, [&] {
                    if (g == 1) return;
                    ptx::wait(rings.full[warp][turn.slot], turn.parity);
                    next_has_sources = rings.has_sources[warp][turn.slot];
                    load(turn.slot, 0);
                });
                // The rows that leave are the rows of the group before.
                if (threadIdx.x == 0) rings.has_sources[warp + 1][now.slot] = had_sources;
                had_sources = has_sources;
                has_sources = next_has_sources;
                if (is_last) ptx::publish_to_copies();
                __syncwarp();
                if (threadIdx.x == 0) ptx::arrive(rings.full[warp + 1][now.slot]);
            }
        }
    }
};

}  // namespace cudabook::heat

// Does up to 24 steps, in blocks of 32 by stream_threads / 32 threads. width: a multiple of four, and at
// least a band's; height: at least 32; no temperature can become infinite.
template <int columns>
__global__ static void __launch_bounds__(cudabook::heat::stream_threads, 1)
    streamed_kernel(float* out, const float* in, const float* sources, const bool* tile_has_source, int width,
                    int height, int pitch, float speed, int steps, cudabook::heat::StreamCuts cuts) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    using namespace cudabook;
    using namespace cudabook::heat;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto& rings = *reinterpret_cast<Rings<columns>*>(shared_memory);
    const int lane = threadIdx.x;
    const int warp = __shfl_sync(~0U, threadIdx.y, 0);
    const int warps = (steps + steps_of_warp - 1) / steps_of_warp;  // of those that compute
    if (warp == 0 && lane < stream_slots) {
        ptx::init(rings.arrived[lane], 1);
        for (int ring = 0; ring <= stream_warps; ++ring) {
            ptx::init(rings.full[ring][lane], ring == 0 ? 2 : 1);
            ptx::init(rings.empty[ring][lane], 1);
        }
        ptx::publish_barriers();
    }
    __syncthreads();
    await_previous_launch();

    const StreamShare share{bands_of(width, columns, steps),
                            rows_in_line(height, steps),
                            cuts.begin[blockIdx.x],
                            cuts.begin[blockIdx.x + 1],
                            pitch,
                            steps};
    if (warp >= stream_warps) {
        ptx::shrink_to<56>();
        const int carrier = warp - stream_warps;
        if (carrier == 0 && lane == 0) copy_rows(rings, share, in);
        if (carrier == 1 && lane == 0) store_rows(rings, share, warps, out);
        if (carrier >= 2) pass_rows_on(rings, share, carrier == 3, sources, tile_has_source);
        return;
    }
    ptx::grow_to<224>();
    if (warp >= warps) return;
    StreamLane<columns> lane_of_warp{
        .rings = rings, .warp = warp, .is_last = warp + 1 == warps, .speed = speed};
    const int its_steps = min(steps - warp * steps_of_warp, steps_of_warp);
    if (its_steps == 3) lane_of_warp.template run<3>(share);
    if (its_steps == 2) lane_of_warp.template run<2>(share);
    if (its_steps == 1) lane_of_warp.template run<1>(share);
#endif
}
