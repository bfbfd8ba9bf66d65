// Kernels `registers` and `prefetched` hold a tile, and lose a row and a column at each side with each step.
// Here the rows stream. A block goes down a band of columns, and a row that enters has done all steps of the
// launch when it leaves. A warp does three steps. For each step it holds three rows in registers, 12 or 20
// cells a lane: the row that arrives completes the step of the row before. From warp to warp a row
// goes through a ring in shared memory. So rows are computed twice only where a block begins and ends.
//
// Four more warps carry rows from memory into the first ring, and from the last ring to memory. So all warps
// that compute run the same instructions, few beside the arithmetic. Needs compute capability 9.0: the warps
// that carry give most of their registers to the warps that compute.
//
// The grid that enters already holds the temperatures of the sources, and a step only keeps them. One bit for
// each cell of a row goes from warp to warp with the row. Most shares of a grid have no sources, and run
// other code. Which block does which share: stream_shares.cuh.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "common/cuda/ptx/bulk_store.cuh"
#include "common/cuda/ptx/mbarrier.cuh"
#include "common/cuda/ptx/warpgroup.cuh"
#include "heat_notexture/kernels/stream_shares.cuh"

namespace cudabook::heat {

// The slots of a ring. Each has three rows. The first ring has more, because memory is far.
constexpr int first_ring_slots = 4;
constexpr int ring_slots = 3;
constexpr int all_slots = first_ring_slots + stream_warps * ring_slots;
constexpr int stream_threads = 32 * stream_warps + 128;

// Ring w has the rows for warp w, the last ring the rows that are done. A bit of `sources` is a cell that
// keeps its temperature: for each lane the bits of its cells, but in the first ring words of the grid of
// bits.
template <int columns>
struct Rings {
    float4 rows[all_slots][3][32][columns / 4];
    unsigned sources[all_slots][3][32];
    ptx::Barrier full[all_slots];
    ptx::Barrier empty[all_slots];
};

// The slot of a ring whose turn it is, and the parity of its barriers' phase.
struct Turn {
    int begin, end;  // the ring's slots
    int slot = begin;
    unsigned parity = 0;
    __device__ void pass() {
        slot = slot + 1 == end ? begin : slot + 1;
        parity ^= slot == begin;
    }
};

__device__ inline Turn first_turn(int ring) {
    const int end = first_ring_slots + ring * ring_slots;
    return {ring == 0 ? 0 : end - ring_slots, end};
}

// Three threads store the rows of a group of the last ring.
template <int columns>
__device__ void store_rows(Rings<columns>& rings, StreamShare share, int last_ring, float* out) {
    const int r = threadIdx.x;
    Turn turn = first_turn(last_ring);
    for (Stretch s; share.take(s);) {
        const int begin = share.bands.first_written(s.band);
        const int bytes = (share.bands.first_written(s.band + 1) - begin) * int{sizeof(float)};
        const int fours = (begin - share.bands.begin(s.band)) / 4;
        for (int g = share.groups(s), y = share.first_to_leave(s) + r; g > 0; --g, y += 3, turn.pass()) {
            ptx::wait(rings.full[turn.slot], turn.parity);
            if (y >= s.top && y < s.bottom)
                ptx::store(out + begin + static_cast<size_t>(y) * share.pitch,
                           &rings.rows[turn.slot][r][0][0] + fours, bytes);
            ptx::await_reads_of_stores();
            ptx::arrive(rings.empty[turn.slot]);
        }
    }
    ptx::await_stores();
}

// A lane of a warp that computes. row[0][r] is row r of a group. row[s][r] has done s of the warp's steps,
// and is s rows above.
template <int columns>
struct StreamLane {
    Rings<columns>& rings;
    int warp;
    int lane;
    bool is_last;     // whether the warp does the launch's last step
    bool keeps_last;  // whether the warp's last step keeps the sources
    float speed;
    float row[steps_of_warp][3][columns] = {};
    // Of the row that a step computes: the cells beside the lane's, but at the band's ends, and which cells
    // are sources.
    float before[steps_of_warp] = {}, after[steps_of_warp] = {};
    unsigned sources[steps_of_warp] = {};
    unsigned arrived[3] = {};  // which cells of the group that has arrived are sources

    __device__ void load(int slot, int r) {
#pragma unroll
        for (int i = 0; i < columns / 4; ++i) {
            const float4 four = rings.rows[slot][r][lane][i];
            row[0][r][4 * i] = four.x;
            row[0][r][4 * i + 1] = four.y;
            row[0][r][4 * i + 2] = four.z;
            row[0][r][4 * i + 3] = four.w;
        }
    }

    // Row r of a group has arrived: does the warp's steps of the rows above it. keeps: whether any of the
    // rows has sources. Calls then() after the first step, when the oldest row is no longer needed.
    template <int steps, int r, class Then>
    __device__ void do_steps(int slot, bool keeps, Then then) {
        float done[columns] = {};
#pragma unroll
        for (int s = 0; s < steps; ++s) {
            const auto& top = row[s][(r + 1) % 3];
            const auto& middle = row[s][(r + 2) % 3];
            const auto& bottom = row[s][r];
            // At the grid's ends a cell is its own neighbour. At the band's other ends any neighbour will do:
            // the band does not write these cells.
            const float first = lane == 0 ? middle[0] : before[s];
            const float last = lane == 31 ? middle[columns - 1] : after[s];
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                const float left = c == 0 ? first : middle[max(c - 1, 0)];
                const float right = c + 1 == columns ? last : middle[min(c + 1, columns - 1)];
                done[c] = fmaf(speed, fmaf(-4, middle[c], ((top[c] + bottom[c]) + left) + right), middle[c]);
            }
            if (keeps && (s + 1 < steps || keeps_last)) {
#pragma unroll
                for (int c = 0; c < columns; ++c)
                    if ((sources[s] >> c & 1) != 0) done[c] = middle[c];
            }
            before[s] = __shfl_up_sync(~0U, bottom[columns - 1], 1);
            after[s] = __shfl_down_sync(~0U, bottom[0], 1);
            if (s + 1 < steps) {
#pragma unroll
                for (int c = 0; c < columns; ++c) row[min(s + 1, steps - 1)][r][c] = done[c];
            }
            if (s == 0) then();
        }
#pragma unroll
        for (int i = 0; i < columns / 4; ++i)
            rings.rows[slot][r][lane][i] = {done[4 * i], done[4 * i + 1], done[4 * i + 2], done[4 * i + 3]};
    }

    // The group in the slot has arrived: loads its first row, and the bits of the sources. column: of the
    // lane's first cell, counted from the first of the words.
    template <bool has_sources>
    __device__ void load_first(int slot, int column) {
        load(slot, 0);
        for (int r = 0; has_sources && r < 3; ++r) {
            const unsigned* const words = rings.sources[slot][r];
            arrived[r] = warp > 0 ? words[lane]
                                  : __funnelshift_r(words[column / 32], words[column / 32 + 1], column) &
                                        ((1U << columns) - 1);
        }
    }

    // Row r of a group has done its steps: the row below it is the next that each step computes.
    __device__ void shift_sources(int slot, int r, unsigned bits) {
        rings.sources[slot][r][lane] = sources[2];
        sources[2] = sources[1];
        sources[1] = sources[0];
        sources[0] = bits;
    }

    // Does the warp's steps of the group in slot `from`. keeps: whether any of the rows has sources. Calls
    // next() when the first row of the next group may be loaded.
    template <int steps, bool has_sources, class Next>
    __device__ void do_group(int from, const Turn& to, bool keeps, Next next) {
        const unsigned bits[3] = {arrived[0], arrived[1], arrived[2]};
        do_steps<steps, 0>(to.slot, keeps, [&] {
            load(from, 1);
            ptx::wait(rings.empty[to.slot], to.parity ^ 1);
        });
        if (has_sources) shift_sources(to.slot, 0, bits[0]);
        do_steps<steps, 1>(to.slot, keeps, [&] {
            load(from, 2);
            ptx::arrive(rings.empty[from]);
        });
        if (has_sources) shift_sources(to.slot, 1, bits[1]);
        do_steps<steps, 2>(to.slot, keeps, next);
        if (has_sources) shift_sources(to.slot, 2, bits[2]);
    }

    // Does the warp's steps, at most three, of all rows. has_sources: whether the share has sources. If it
    // has none, the code has no branches for sources: a branch that is taken makes a warp wait for
    // instructions.
    template <int steps, bool has_sources>
    __device__ void run(StreamShare share) {
        Turn from = first_turn(warp);
        Turn to = first_turn(warp + 1);
        for (Stretch s; share.take(s);) {
            const int begin = share.bands.begin(s.band);
            const int column = begin - 32 * first_source_word(begin) + columns * lane;
            for (unsigned& bits : sources) bits = 0;
            bool kept = false;
            ptx::wait(rings.full[from.slot], from.parity);
            load_first<has_sources>(from.slot, column);
            for (int g = share.groups(s); g > 0; --g, to.pass()) {
                const int slot = from.slot;
                from.pass();
                const bool keeps =
                    has_sources && __any_sync(~0U, (arrived[0] | arrived[1] | arrived[2]) != 0);
                // The rows that the steps compute are of this group and of the group before.
                do_group<steps, has_sources>(slot, to, keeps || kept, [&] {
                    if (g == 1) return;
                    ptx::wait(rings.full[from.slot], from.parity);
                    load_first<has_sources>(from.slot, column);
                });
                kept = keeps;
                if (is_last) ptx::publish_to_copies();
                ptx::arrive(rings.full[to.slot]);
            }
        }
    }
};

}  // namespace cudabook::heat

// How rows enter the first ring, and the bits of their sources, if the share has any. Three warps call
// enter(), with r from 0 to 2, and arrive at a slot's barrier `arrivals` times together. Here three threads
// let each row of a group be copied. Sample heat has another way, through textures.
struct CopyRows {
    const float* cells;

    static constexpr int arrivals = 3;

    template <int columns>
    __device__ void enter(cudabook::heat::Rings<columns>& rings, cudabook::heat::StreamShare share, int r,
                          const unsigned* bits, bool has_sources) const {
        using namespace cudabook;
        using namespace cudabook::heat;
        if (threadIdx.x > 0) return;
        constexpr int row_bytes = sizeof(rings.rows[0][0]);
        constexpr int bit_bytes = source_words(32 * columns) * int{sizeof(unsigned)};
        Turn turn = first_turn(0);
        for (Stretch s; share.take(s);) {
            const int x = share.bands.begin(s.band);
            for (int g = share.groups(s), y = share.first_to_enter(s) + r; g > 0; --g, y += 3, turn.pass()) {
                ptx::Barrier& full = rings.full[turn.slot];
                ptx::wait(rings.empty[turn.slot], turn.parity ^ 1);
                ptx::arrive_and_expect(full, has_sources ? row_bytes + bit_bytes : row_bytes);
                ptx::copy(rings.rows[turn.slot][r], cells + share.offset(x, y), row_bytes, full);
                if (has_sources)
                    ptx::copy(rings.sources[turn.slot][r], bits + share.first_bits(x, y), bit_bytes, full);
            }
        }
    }
};

// Does up to 24 steps, in blocks of 32 by stream_threads / 32 threads. in: CopyRows, or sample heat's
// FetchRows, of a grid that holds the temperatures of the sources; keeps_last: whether `out` will;
// source_bits: by mark_sources_kernel(); cuts: of these sources, with a share for each block; taken: cleared.
// width: a multiple of four, and at least a band's; height: at least 32; no temperature can become infinite.
template <int columns, class Rows>
__global__ static void __launch_bounds__(cudabook::heat::stream_threads, 1)
    streamed_kernel(float* out, Rows in, const unsigned* source_bits, int width, int height, int pitch,
                    float speed, int steps, bool keeps_last, cudabook::heat::StreamCuts cuts,
                    cudabook::heat::TakenShares* taken) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    using namespace cudabook;
    using namespace cudabook::heat;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    __shared__ int its_share;
    auto& rings = *reinterpret_cast<Rings<columns>*>(shared_memory);
    const int lane = threadIdx.x;
    const int warp = __shfl_sync(~0U, threadIdx.y, 0);
    const int warps = (steps + steps_of_warp - 1) / steps_of_warp;  // of those that compute
    if (warp == 0 && lane < all_slots) {
        ptx::init(rings.full[lane], lane < first_ring_slots ? Rows::arrivals : 32);
        ptx::init(rings.empty[lane], lane >= first_turn(warps).begin ? 3 : 32);
        ptx::publish_barriers();
    }
    const bool takes = warp == stream_warps + 3 && lane == 0;  // of the warp that has to wait longest
    // Only launches of this kernel use `taken`, and a launch is done with it when it lets the next be set up.
    if (takes) its_share = take_share(cuts, taken);
    __syncthreads();
    await_previous_launch();

    const bool has_sources = its_share < cuts.with_sources;
    const auto [begin, end] = cuts.shares[its_share];
    const StreamShare share{
        bands_of(width, columns, steps), rows_in_line(height, steps), begin, end, pitch, steps};
    if (warp >= stream_warps) {
        ptx::shrink_to<56>();
        const int carrier = warp - stream_warps;
        if (carrier < 3) in.enter(rings, share, carrier, source_bits, has_sources);
        if (carrier == 3 && lane < 3) store_rows(rings, share, warps, out);
        return;
    }
    ptx::grow_to<224>();
    if (warp >= warps) return;
    const bool is_last = warp + 1 == warps;
    StreamLane<columns> computing{
        .rings = rings,
        .warp = warp,
        .lane = __shfl_sync(~0U, lane, lane),  // without this, the lane's number is computed anew at each use
        .is_last = is_last,
        .keeps_last = keeps_last || !is_last,
        .speed = speed};
    const int its_steps = min(steps - warp * steps_of_warp, steps_of_warp);
    if (its_steps == 3)
        has_sources ? computing.template run<3, true>(share) : computing.template run<3, false>(share);
    if (its_steps == 2)
        has_sources ? computing.template run<2, true>(share) : computing.template run<2, false>(share);
    if (its_steps == 1)
        has_sources ? computing.template run<1, true>(share) : computing.template run<1, false>(share);
#endif
}
