#include "common/numbers/crc32.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace cudabook {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
    if (bytes.empty()) return crc;  // for zlib, a null pointer asks for the initial CRC
    return static_cast<std::uint32_t>(
        ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t checksum(std::span<const float> numbers) {
    static_assert(std::endian::native == std::endian::little, "checksums are of little-endian bytes");
    std::array<float, 4096> chunk{};
    std::uint32_t crc = 0;
    while (!numbers.empty()) {
        const auto part = numbers.first(std::min(numbers.size(), chunk.size()));
        std::ranges::transform(part, chunk.begin(), [](float number) {
            return std::isnan(number) ? std::numeric_limits<float>::quiet_NaN() : number;
        });
        crc = crc32(std::as_bytes(std::span(chunk).first(part.size())), crc);
        numbers = numbers.subspan(part.size());
    }
    return crc;
}

std::string hex(std::uint32_t value) { return fmt::format("{:08x}", value); }

}  // namespace cudabook
