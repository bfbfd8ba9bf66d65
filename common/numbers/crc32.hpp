// CRC-32 checksums of results: the programs print them, the tests compare them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace cudabook {

/// zlib's CRC-32 of the bytes, continuing from `crc`, the CRC-32 of those before them (0 if there are none).
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// Puts CRC-32s together: of some bytes, and of the `length` bytes that follow them. As zlib's
/// crc32_combine(), which it uses, but quick when it is done many times with one length.
class Crc32Append {
  public:
    explicit Crc32Append(std::size_t length);
    std::uint32_t operator()(std::uint32_t before, std::uint32_t after) const;

  private:
    std::array<std::uint32_t, 32> of_bit_;  ///< what becomes of each bit of `before`
};

/// The number; for every NaN 0x7fc00000, because the bits of the NaN that an operation returns differ between
/// machines.
inline float with_one_nan(float number) {
    return std::isnan(number) ? std::numeric_limits<float>::quiet_NaN() : number;
}

/// CRC-32 of the numbers' little-endian bytes, in order, each with_one_nan(). Many numbers are spread over
/// all cores.
std::uint32_t checksum(std::span<const float> numbers);

/// Eight lower-case hex digits.
std::string hex(std::uint32_t value);

}  // namespace cudabook
