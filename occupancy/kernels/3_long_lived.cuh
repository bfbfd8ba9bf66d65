// VectorAdd3: long-lived blocks. The programmer chooses the number of blocks, and all blocks walk through the
// whole vector together (a grid-stride loop).
#pragma once

#include "occupancy/kernels/long_sum.cuh"
#include "occupancy/kernels/operands.cuh"

namespace cudabook::occupancy {

__device__ inline void add_with_whole_grid(const Operands& operands) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < operands.elements;
         i += gridDim.x * blockDim.x)
        operands.sums[i] = long_sum(operands.first[i], operands.second, operands.second_mask,
                                    operands.second_step, i, operands.passes);
}

__global__ inline void vector_add3_kernel(Operands operands) {
    note_begin(operands.notes);
    add_with_whole_grid(operands);
    note_end(operands.notes);
}

}  // namespace cudabook::occupancy
