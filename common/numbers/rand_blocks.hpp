// The stream of rand_stream.hpp in blocks of thousands of outputs, vectorised for the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/numbers/rand_stream.hpp"

namespace cudabook {

/// Computes the outputs of RandStream in blocks. The recurrence r[i] = r[i-3] + r[i-31] allows only three
/// words to be computed at a time. As a polynomial in x, where x shifts by one place, the recurrence is x^31
/// = x^28 + 1. Its fourth power, x^124 = x^112 + 4 x^84 + 6 x^56 + 4 x^28 + 1, is a recurrence whose nearest
/// term is 12 words away, so 12 words can be computed at a time.
class RandBlocks {
  public:
    static constexpr std::size_t size = 4096;

    /// Starts at output number `position` of the stream.
    explicit RandBlocks(std::uint64_t position) {
        RandStream stream(position - reach);  // the recurrence also holds before the first output
        for (std::size_t i = size; i < words_.size(); ++i) words_[i] = stream.word();
    }

    /// The next `size` outputs, valid until the next call.
    std::span<const std::uint32_t> next() {
        std::copy_n(words_.end() - reach, reach, words_.begin());
#pragma omp simd safelen(12)
        for (std::size_t i = reach; i < size + reach; ++i)
            words_[i] =
                words_[i - 12] + 4 * (words_[i - 40] + words_[i - 96]) + 6 * words_[i - 68] + words_[i - 124];
        for (std::size_t i = 0; i < size; ++i) outputs_[i] = words_[i + reach] >> 1U;
        return outputs_;
    }

  private:
    static constexpr std::size_t reach = 124;

    std::array<std::uint32_t, reach + size> words_;
    std::array<std::uint32_t, size> outputs_;
};

}  // namespace cudabook
