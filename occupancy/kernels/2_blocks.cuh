// VectorAdd2: the programmer chooses the block size. Each block adds a contiguous part of the vector, one
// element per thread in each step.
#pragma once

#include "occupancy/kernels/long_sum.cuh"
#include "occupancy/kernels/operands.cuh"

namespace cudabook::occupancy {

__global__ inline void vector_add2_kernel(Operands operands) {
    note_begin(operands.notes);
    const unsigned part = operands.elements / gridDim.x;
    const unsigned begin = blockIdx.x * part;
    for (unsigned i = begin + threadIdx.x; i < begin + part; i += blockDim.x)
        operands.sums[i] = long_sum(operands.first[i], operands.second, operands.second_mask,
                                    operands.second_step, i, operands.passes);
    note_end(operands.notes);
}

}  // namespace cudabook::occupancy
