// A warp's note: the multiprocessor on which the warp runs, and when the warp begins and ends.
#pragma once

#include "common/cuda/ptx/special_registers.cuh"

namespace cudabook::occupancy {

struct Note {
    unsigned long long begin_ns;
    unsigned long long end_ns;  ///< 0 before the launch
    unsigned multiprocessor;
};

/// Returns the note of this thread's warp. The notes are ordered block after block.
__device__ inline Note& note_of_warp(Note* notes) {
    const unsigned warps_of_block = (blockDim.x + warpSize - 1) / warpSize;
    return notes[blockIdx.x * warps_of_block + threadIdx.x / warpSize];
}

/// Notes the multiprocessor and the begin of this thread's warp. Must be a kernel's first statement.
__device__ inline void note_begin(Note* notes) {
    if (threadIdx.x % warpSize != 0) return;
    Note& note = note_of_warp(notes);
    note.begin_ns = ptx::global_time_ns();
    note.multiprocessor = ptx::multiprocessor_number();
}

/// Notes the end of this thread's warp. Must be the last statement of a kernel.
__device__ inline void note_end(Note* notes) {
    if (threadIdx.x % warpSize == 0) note_of_warp(notes).end_ns = ptx::global_time_ns();
}

}  // namespace cudabook::occupancy
