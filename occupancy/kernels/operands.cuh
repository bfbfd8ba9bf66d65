// What the vector additions read and write.
#pragma once

#include "occupancy/kernels/note.cuh"

namespace cudabook::occupancy {

struct Operands {
    const int* first;
    const signed char* second;
    unsigned second_mask;  ///< of its bytes, a power of two, less one
    unsigned second_step;
    int passes;
    int* sums;
    unsigned elements;
    Note* notes;  ///< one for each warp
};

}  // namespace cudabook::occupancy
