// The computation of a lane of kernel `streamed`: its warp's steps on rows that come from one ring and go to
// the next ring.
#pragma once

#include "common/cuda/ptx/bulk_store.cuh"
#include "heat_notexture/kernels/stream_rings.cuh"
#include "heat_notexture/kernels/stream_shares.cuh"

namespace cudabook::heat {

// A lane of a warp that computes. row[0][r] has the lane's cells of row r of a group. row[s][r] has the cells
// that lie s rows above and have done s of the warp's steps.
template <int columns>
struct StreamLane {
    Rings<columns>& rings;
    int warp;
    int lane;
    bool is_last;     // whether the warp does the launch's last step
    bool keeps_last;  // whether the warp's last step keeps the sources
    float speed;
    float row[steps_of_warp][3][columns] = {};
    // For the row that each step computes: the cells left and right of the lane's cells (not used at the
    // band's ends), and a bit mask of the lane's cells that are sources.
    float before[steps_of_warp] = {}, after[steps_of_warp] = {};
    unsigned sources[steps_of_warp] = {};
    unsigned arrived[3] = {};  // the source bits of the group that has arrived

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

    // Row r of a group has arrived. Does the warp's step i for the row i rows above it, i = 1 to `steps`.
    // keeps: whether these rows may have sources. Calls then() after step 1, the last use of the oldest row.
    template <int steps, int r, class Then>
    __device__ void do_steps(int slot, bool keeps, Then then) {
        float done[columns] = {};
#pragma unroll
        for (int s = 0; s < steps; ++s) {
            const auto& top = row[s][(r + 1) % 3];
            const auto& middle = row[s][(r + 2) % 3];
            const auto& bottom = row[s][r];
            // At the grid's left and right edge, a cell is its own neighbour. At the band's other ends any
            // value will do as the neighbour, because the band does not write these cells.
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

    // Loads the first row of the group in the slot, which has arrived, and the source bits of the group.
    // column: the column of the lane's first cell, counted from the first cell of the row's words.
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

    // Called after the steps for row r. Each step next computes the row below, so the bits move on.
    __device__ void shift_sources(int slot, int r, unsigned bits) {
        rings.sources[slot][r][lane] = sources[2];
        sources[2] = sources[1];
        sources[1] = sources[0];
        sources[0] = bits;
    }

    // Does the warp's steps for the group in slot `from`. keeps: whether the computed rows may have sources.
    // Calls next() when the first row of the next group may be loaded.
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

    // Does the warp's steps, at most three, for all rows of the share. has_sources: whether the share has
    // sources. If not, the code has no branches for sources, because a taken branch makes a warp wait for
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
