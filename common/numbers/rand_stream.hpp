// The outputs of the GNU C library's rand() after srand(1), on every platform, on host and device.
#pragma once

#include <cstdint>

#include "common/cuda/host_device.hpp"

namespace cudabook {

/// An additive feedback generator: r[i] = r[i-3] + r[i-31] (mod 2^32), output i is r[i+344] >> 1. The
/// recurrence is linear, so the stream can start at any position: see jump().
class RandStream {
  public:
    /// The number of words in the state. A kernel that takes this many outputs at a time, in an unrolled
    /// loop, keeps the stream in registers.
    static constexpr int order = 31;

    /// Starts at output number `position` of the stream.
    CUDABOOK_HOST_DEVICE explicit RandStream(std::uint64_t position = 0) {
        // The minimal standard generator, 16807 r mod (2^31 - 1), seeds 31 words. The recurrence begins with
        // the fourth word as its oldest, and its first 310 outputs are dropped.
        std::uint32_t seed = 1;
        for (int i = 0; i < order; ++i) {
            words_[(i + order - 3) % order] = seed;
            seed = static_cast<std::uint32_t>(std::uint64_t{16807} * seed % 2147483647U);
        }
        jump(order + 310 + position);
    }

    /// The next output, 0 to 2^31 - 1.
    CUDABOOK_HOST_DEVICE std::uint32_t operator()() { return word() >> 1; }

    /// The next output before its lowest bit is dropped: the recurrence holds for these words.
    CUDABOOK_HOST_DEVICE std::uint32_t word() {
        const std::uint32_t word = words_[next_];
        if (++next_ == order) {
            for (int i = 0; i < order; ++i) words_[i] += words_[i < 3 ? i + order - 3 : i - 3];
            next_ = 0;
        }
        return word;
    }

    /// Skips `count` outputs, in time proportional to log(count). The word `count` places ahead is a linear
    /// combination of the current 31 words. The polynomial x^count modulo the characteristic polynomial
    /// x^31 - x^28 - 1 has the coefficients of this combination.
    CUDABOOK_HOST_DEVICE void jump(std::uint64_t count) {
        count += static_cast<std::uint64_t>(next_);
        std::uint32_t power[order] = {1};  // x^0
        int bit = 63;
        while (bit > 0 && count >> bit == 0) --bit;
        for (; bit >= 0; --bit) {
            square(power);
            if (((count >> bit) & 1U) != 0) times_x(power);
        }
        std::uint32_t words[2 * order - 1];  // the current words and the words that follow
        for (int i = 0; i < 2 * order - 1; ++i)
            words[i] = i < order ? words_[i] : words[i - order] + words[i - 3];
        for (int i = 0; i < order; ++i) {
            std::uint32_t sum = 0;
            for (int j = 0; j < order; ++j) sum += power[j] * words[i + j];
            words_[i] = sum;
        }
        next_ = 0;
    }

  private:
    /// polynomial := polynomial · x, modulo x^31 - x^28 - 1.
    CUDABOOK_HOST_DEVICE static void times_x(std::uint32_t (&polynomial)[order]) {
        const std::uint32_t top = polynomial[order - 1];
        for (int i = order - 1; i > 0; --i) polynomial[i] = polynomial[i - 1];
        polynomial[0] = top;
        polynomial[28] += top;
    }

    /// polynomial := polynomial², modulo x^31 - x^28 - 1.
    CUDABOOK_HOST_DEVICE static void square(std::uint32_t (&polynomial)[order]) {
        std::uint32_t product[2 * order - 1] = {};
        for (int i = 0; i < order; ++i)
            for (int j = 0; j < order; ++j) product[i + j] += polynomial[i] * polynomial[j];
        for (int i = 2 * order - 2; i >= order; --i) {  // x^i = x^(i-3) + x^(i-31)
            product[i - 3] += product[i];
            product[i - order] += product[i];
        }
        for (int i = 0; i < order; ++i) polynomial[i] = product[i];
    }

    std::uint32_t words_[order] = {};  ///< 31 consecutive words, among them the next output's word
    int next_ = 0;                     ///< the index in words_ of the next output's word
};

}  // namespace cudabook
