// The rings in shared memory through which rows go from warp to warp of kernel `streamed`.
#pragma once

#include "common/cuda/ptx/mbarrier.cuh"
#include "heat_notexture/gpu/stream_tiling.hpp"

namespace cudabook::heat {

// The slots of a ring, of three rows each. The first ring has more slots, as memory has a high latency.
constexpr int first_ring_slots = 4;
constexpr int ring_slots = 3;
constexpr int all_slots = first_ring_slots + stream_warps * ring_slots;
constexpr int stream_threads = 32 * stream_warps + 128;

// Ring w holds the rows for warp w, and the last ring holds the finished rows. A set bit of `sources` marks a
// source, which keeps its temperature. Each lane has a word with the bits of its cells, except in the first
// ring, which holds words of the bit grid (see mark_sources.cuh).
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

}  // namespace cudabook::heat
