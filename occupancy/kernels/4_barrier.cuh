// VectorAdd4: VectorAdd3 with a barrier at its beginning and its end. The sum needs neither. The first
// barrier makes Xe-LP start all threads of a group at once; an NVIDIA GPU always does so. The second barrier
// makes all warps of a block end together.
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
