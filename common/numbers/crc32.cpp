#include "common/numbers/crc32.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace cudabook {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
    if (bytes.empty()) return crc;  // for zlib, a null pointer asks for the initial CRC
    return static_cast<std::uint32_t>(
        ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The result is linear in the bits of `before`: if `after` is 0, it is the exclusive or of the results for
// each bit of `before` alone.
Crc32Append::Crc32Append(std::size_t length) {
    for (unsigned i = 0; i < of_bit_.size(); ++i)
        of_bit_[i] =
            static_cast<std::uint32_t>(::crc32_combine(uLong{1} << i, 0, static_cast<z_off_t>(length)));
}

std::uint32_t Crc32Append::operator()(std::uint32_t before, std::uint32_t after) const {
    for (unsigned i = 0; i < of_bit_.size(); ++i)
        if ((before >> i & 1U) != 0) after ^= of_bit_[i];
    return after;
}

namespace {

std::uint32_t checksum_of_piece(std::span<const float> numbers) {
    static_assert(std::endian::native == std::endian::little, "checksums are of little-endian bytes");
    std::array<float, 4096> chunk{};
    std::uint32_t crc = 0;
    while (!numbers.empty()) {
        const auto part = numbers.first(std::min(numbers.size(), chunk.size()));
        std::ranges::transform(part, chunk.begin(), with_one_nan);
        crc = crc32(std::as_bytes(std::span(chunk).first(part.size())), crc);
        numbers = numbers.subspan(part.size());
    }
    return crc;
}

}  // namespace

std::uint32_t checksum(std::span<const float> numbers) {
    constexpr std::size_t piece = 65536;
    if (numbers.size() <= piece) return checksum_of_piece(numbers);
    const std::size_t whole_pieces = numbers.size() / piece;
    std::vector<std::uint32_t> crcs(whole_pieces);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < whole_pieces; ++i)
        crcs[i] = checksum_of_piece(numbers.subspan(i * piece, piece));
    const std::span<const float> rest = numbers.subspan(whole_pieces * piece);
    const std::uint32_t crc =
        std::accumulate(crcs.begin(), crcs.end(), std::uint32_t{0}, Crc32Append(piece * sizeof(float)));
    return Crc32Append(rest.size_bytes())(crc, checksum_of_piece(rest));
}

std::string hex(std::uint32_t value) { return fmt::format("{:08x}", value); }

}  // namespace cudabook
