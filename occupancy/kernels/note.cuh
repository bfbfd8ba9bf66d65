// What a block notes of itself: the multiprocessor that it runs on, and when it begins and ends.
#pragma once

#include "common/cuda/ptx/special_registers.cuh"

namespace cudabook::occupancy {

struct Note {
    unsigned long long begin_ns;
    unsigned long long end_ns;  ///< 0 before the launch
    unsigned multiprocessor;
};

/// The first statement of a kernel.
__device__ inline void note_begin(Note* notes) {
    if (threadIdx.x != 0) return;
    notes[blockIdx.x].begin_ns = ptx::global_time_ns();
    notes[blockIdx.x].multiprocessor = ptx::multiprocessor_number();
}

/// The last one: a block ends with the last of its warps.
__device__ inline void note_end(Note* notes) {
    if (threadIdx.x % warpSize == 0) atomicMax(&notes[blockIdx.x].end_ns, ptx::global_time_ns());
}

}  // namespace cudabook::occupancy
