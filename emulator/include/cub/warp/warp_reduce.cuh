// cub::WarpReduce: sums and other reductions of the values of a warp, or of each group of 16, 8, 4 or 2
// lanes, by shuffles down by 1, 2, 4, 8 and 16 lanes. Source: CUB API Reference, "WarpReduce".
#pragma once

#include <cuda_runtime.h>

namespace cub {

template <class T, int lanes = 32>
class WarpReduce {
    static_assert(lanes > 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0,
                  "cub::WarpReduce reduces 1, 2, 4, 8, 16 or 32 lanes here: write it with shuffles");

  public:
    struct TempStorage {};

    explicit WarpReduce(TempStorage&) {}

    /// Reduces the values of the first `valid` lanes. Only the first lane gets the result.
    template <class Operation>
    T Reduce(T input, Operation operation, int valid = lanes) {
        const unsigned lane = cudabook::emulation::thread_number() % 32;
        const int place = static_cast<int>(lane) % lanes;
        const unsigned mask = (lanes == 32 ? ~0U : (1U << lanes) - 1)
                              << (lane - static_cast<unsigned>(place));
        for (int distance = 1; distance < lanes; distance *= 2) {
            const T other = __shfl_down_sync(mask, input, static_cast<unsigned>(distance), lanes);
            if (place + distance < valid) input = operation(input, other);
        }
        return input;
    }
    T Sum(T input, int valid = lanes) {
        return Reduce(
            input, [](const T& a, const T& b) { return static_cast<T>(a + b); }, valid);
    }
};

}  // namespace cub
