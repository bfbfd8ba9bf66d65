// VectorAdd4: VectorAdd3 with a barrier at both ends, which the sum does not need. The first barrier forces
// Xe-LP to start all threads of a group at once; an NVIDIA GPU does so anyway. With the second barrier, all
// warps of a block end together.
#pragma once

#include "occupancy/kernels/3_long_lived.cuh"

namespace cudabook::occupancy {

__global__ inline void vector_add4_kernel(Operands operands) {
    note_begin(operands.notes);
    __syncthreads();
    add_with_whole_grid(operands);
    __syncthreads();
    note_end(operands.notes);
}

}  // namespace cudabook::occupancy
