// The work that a thread of the vector additions does for one element: an addition that takes long.
#pragma once

namespace cudabook::occupancy {

/// Returns `sum`, an element of the first vector, plus `passes` bytes of the vector `second`. The bytes are
/// `step` bytes apart. After the end of the vector, they continue at its beginning. Each byte is loaded from
/// the L2 cache, one after another. So a thread spends its time waiting, and blocks hardly slow each other
/// down.
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
