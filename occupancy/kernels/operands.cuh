// The input and output of the vector additions.
#pragma once

#include "occupancy/kernels/note.cuh"

namespace cudabook::occupancy {

struct Operands {
    const int* first;
    const signed char* second;
    unsigned second_mask;  ///< the number of bytes of `second`, a power of two, minus 1
    unsigned second_step;
    int passes;
    int* sums;
    unsigned elements;
    Note* notes;  ///< one for each warp
};

}  // namespace cudabook::occupancy
