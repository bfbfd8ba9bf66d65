// CRC-32 checksums of results: the programs print them, the tests compare them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cudabook {

/// zlib's CRC-32 of the bytes, continuing from `crc`, the CRC-32 of those before them (0 if there are none).
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// CRC-32 of the numbers' little-endian bytes, in order. Every NaN counts as 0x7fc00000, because the bits of
/// the NaN that an operation returns differ between machines.
std::uint32_t checksum(std::span<const float> numbers);

/// Eight lower-case hex digits.
std::string hex(std::uint32_t value);

}  // namespace cudabook
