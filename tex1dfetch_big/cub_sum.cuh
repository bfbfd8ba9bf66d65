// CUB's sum, the peer of the GPU's kernels: the library function that people would use instead.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/stream.cuh"

namespace cudabook::tex1dfetch_big {

struct CubSum {
    std::uint32_t sum;  ///< mod 2^32
    double ms;
};

/// Returns the sum of `size` words in memory that the device can read, and the time. Errors: MachineError.
CubSum cub_sum(const std::uint32_t* words, std::size_t size, const Stream& stream, Stopwatch& stopwatch);

}  // namespace cudabook::tex1dfetch_big
