// Kernels `registers` and `prefetched` hold a tile, which loses a row and a column at each side with each
// step. Here the rows stream: a block goes down a band of columns, and a row that leaves the block has done
// all steps of the launch. A warp does three steps. For each step, a lane holds 12 or 20 cells of three rows
// in registers: when a row arrives, the warp does the step of the row above. From warp to warp, rows go
// through rings in shared memory. So rows are computed twice only where a block begins and ends.
//
// Four more warps carry rows from memory into the first ring, and from the last ring to memory. So all
// computing warps run the same instructions, which are nearly all arithmetic. Needs compute capability 9.0:
// the carrying warps give most of their registers to the computing warps.
//
// The input grid already holds the temperatures of the sources, and a step does not change them. With each
// row, one bit for each cell goes from warp to warp and says whether the cell is a source. Most shares (a
// share is the work of a block) have no sources, and run code without these bits. stream_shares.cuh decides
// which block does which share. stream_rings.cuh has the rings, and stream_lane.cuh the steps of a warp.
#pragma once

#include "common/cuda/previous_launch.cuh"
#include "common/cuda/ptx/bulk_store.cuh"
#include "common/cuda/ptx/mbarrier.cuh"
#include "common/cuda/ptx/warpgroup.cuh"
#include "heat_notexture/kernels/stream_lane.cuh"
#include "heat_notexture/kernels/stream_rings.cuh"
#include "heat_notexture/kernels/stream_shares.cuh"

namespace cudabook::heat {

// Stores the rows of the last ring. Three threads call this; each stores one of the three rows of a group.
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

}  // namespace cudabook::heat

// Brings rows, and the source bits of a share with sources, into the first ring. Three warps call enter(),
// with r from 0 to 2; together they arrive `arrivals` times at a slot's barrier. Here one thread of each
// warp starts asynchronous copies of its rows. Sample heat fetches the rows through textures instead.
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

// Does up to 24 steps, in blocks of 32 × (stream_threads / 32) threads. in: CopyRows, or sample heat's
// FetchRows, of a grid that holds the sources' temperatures. keeps_last: whether the sources must have these
// temperatures in `out` too. source_bits: made by mark_sources_kernel(). cuts: made for these sources, with
// one share for each block. taken: all zero. width: a multiple of four, and at least a band's width. height:
// at least 32. No temperature may become infinite.
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
    const int warps = (steps + steps_of_warp - 1) / steps_of_warp;  // the number of warps that compute
    if (warp == 0 && lane < all_slots) {
        ptx::init(rings.full[lane], lane < first_ring_slots ? Rows::arrivals : 32);
        ptx::init(rings.empty[lane], lane >= first_turn(warps).begin ? 3 : 32);
        ptx::publish_barriers();
    }
    const bool takes = warp == stream_warps + 3 && lane == 0;  // in the warp that is idle longest at first
    // No wait is needed: only this kernel uses `taken`, and each launch does so before the next can start.
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
