// The work of a thread of the vector additions for an element: a long-lasting addition.
#pragma once

namespace cudabook::occupancy {

/// Adds `passes` bytes of the second vector to an element of the first. The bytes are `step` apart, and wrap
/// at the end of the vector. Each is loaded from the L2 cache, one after another: a thread spends its time
/// waiting, so that blocks hardly slow each other down.
__device__ inline int long_sum(int sum, const signed char* second, unsigned mask, unsigned step,
                               unsigned element, int passes) {
    unsigned at = element & mask;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        sum += __ldcg(second + at);
        at = (at + step) & mask;
    }
    return sum;
}

}  // namespace cudabook::occupancy
