// Many streams of r[i] = r[i-3] + r[i-31] (mod 2^32) side by side, compiled for each SIMD level by Highway.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cudabook::tex1dfetch_big {

/// 31 consecutive words of each stream, the oldest first. The type also serves as the 31 × 31 matrix that
/// advances a stream, because later words of a stream are a linear function of earlier words.
struct Streams {
    static constexpr std::size_t order = 31;
    static constexpr std::size_t count = 64;
    static constexpr std::size_t run = 2048 * order;  ///< the outputs of a stream that add_run() adds up

    std::array<std::array<std::uint32_t, count>, order> words;  ///< [k][s]: word k of stream s
};

/// The loops at one SIMD level. They are plain C++ that the compiler vectorises; every level gives the same
/// words.
struct StreamLoops {
    const char* level;

    /// Advances every stream by `run` outputs. Returns the sum of the outputs of all streams.
    std::uint32_t (*add_run)(Streams& streams);

    /// Returns the product of the first 31 columns of `matrix` and the words of the streams.
    Streams (*product)(const Streams& matrix, const Streams& streams);
};

/// Returns the loops for the SIMD levels of this processor, the widest level first.
std::span<const StreamLoops> stream_loops();

}  // namespace cudabook::tex1dfetch_big
