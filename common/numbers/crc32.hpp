// CRC-32 of results: what the programs print, and what the tests compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cudabook {

/// CRC-32 as zlib defines it, of bytes that continue those whose CRC-32 is `crc` (0 at the beginning).
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// CRC-32 of the numbers' little-endian bytes, in order. Every NaN counts as 0x7fc00000, because which NaN an
/// operation gives differs from machine to machine.
std::uint32_t checksum(std::span<const float> numbers);

/// Eight lower-case hex digits.
std::string hex(std::uint32_t value);

}  // namespace cudabook
