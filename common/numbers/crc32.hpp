// CRC-32 checksums of results: the programs print the checksums, the tests compare them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace cudabook {

/// zlib's CRC-32 of the bytes, continuing from `crc`, the CRC-32 of the preceding bytes (0 if there are
/// none).
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// Computes the CRC-32 of a sequence of bytes from the CRC-32s of its two parts: `before` of the first part,
/// and `after` of the second part, which has `length` bytes. Does the same as zlib's crc32_combine(), which
/// the constructor uses, but is quick for many calls with one length.
class Crc32Append {
  public:
    explicit Crc32Append(std::size_t length);
    std::uint32_t operator()(std::uint32_t before, std::uint32_t after) const;

  private:
    std::array<std::uint32_t, 32> of_bit_;  ///< the result if `before` has only this bit and `after` is 0
};

/// Returns the number, or 0x7fc00000 for every NaN, because the bits of the NaN that an operation returns
/// differ between machines.
inline float with_one_nan(float number) {
    return std::isnan(number) ? std::numeric_limits<float>::quiet_NaN() : number;
}

/// Returns the CRC-32 of the little-endian bytes of the numbers, in order. Each number is passed through
/// with_one_nan() first. Uses all cores for more than 65536 numbers.
std::uint32_t checksum(std::span<const float> numbers);

/// Returns the value as eight lower-case hex digits.
std::string hex(std::uint32_t value);

}  // namespace cudabook
