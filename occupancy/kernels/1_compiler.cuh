// VectorAdd1: a thread for each element. The runtime chooses the block size, from the number of registers
// that the compiler has given a thread.
#pragma once

#include "occupancy/kernels/long_sum.cuh"
#include "occupancy/kernels/operands.cuh"

namespace cudabook::occupancy {

__global__ inline void vector_add1_kernel(Operands operands) {
    note_begin(operands.notes);
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < operands.elements)
        operands.sums[i] = long_sum(operands.first[i], operands.second, operands.second_mask,
                                    operands.second_step, i, operands.passes);
    note_end(operands.notes);
}

}  // namespace cudabook::occupancy
