#include "emulator/predicting/clocks.hpp"

#include <algorithm>

#include "emulator/engine/warp_functions.hpp"

namespace cudabook::emulation {

namespace {

/// Some banks, each of which serves one thing at a time, such as a line or a word. At most `most` different
/// things may be asked of a bank.
template <std::size_t banks, std::size_t most>
class Banks {
  public:
    void ask(std::uint64_t bank, std::uint64_t thing) {
        Bank& asked = banks_[bank % banks];
        const auto end = asked.things.begin() + asked.count;
        if (std::find(asked.things.begin(), end, thing) != end) return;
        *end = thing;
        clocks_ = std::max<unsigned>(clocks_, ++asked.count);
    }

    /// Returns the largest number of things of a bank; 1 if nothing was asked for.
    [[nodiscard]] unsigned clocks() const { return clocks_; }

  private:
    struct Bank {
        std::uint8_t count = 0;
        std::array<std::uint64_t, most> things;
    };
    std::array<Bank, banks> banks_;
    unsigned clocks_ = 1;
};

/// Returns a number whose last two bits are the group of a line. Lines in a row are in different groups, and
/// lines at distances that are powers of 2 are spread too.
std::uint64_t group_of(std::uint64_t line) {
    for (const unsigned bits : {32U, 16U, 8U, 4U, 2U}) line ^= line >> bits;
    return line;
}

using Place = PlacesInPlane::Place;

/// Returns the sum of clocks(lanes) over the groups of so many lanes, without those in which no lane is
/// active.
template <class Clocks>
unsigned sum_of_groups(std::uint32_t lanes, unsigned at_a_time, Clocks clocks) {
    unsigned sum = 0;
    for (unsigned first = 0; first < 32; first += at_a_time)
        if (const std::uint32_t group = lanes & ((1U << at_a_time) - 1) << first; group != 0)
            sum += clocks(group);
    return sum;
}

/// Returns the number of a line in a column of lines of 32 bytes and 4 rows, and the number of that column.
Place line_of(Place place) { return {place.row / 4, place.in_row / 32}; }

/// Returns which of the 16 words of 8 bytes of its line has the texel's first byte.
std::uint64_t word_of(Place place) {
    const std::size_t sector = place.row / 2 % 2 * 2 + place.in_row / 16 % 2;
    return sector * 4 + place.row % 2 * 2 + place.in_row % 16 / 8;
}

std::uint64_t number_of(Place place) { return std::uint64_t{place.row} << 32U | place.in_row; }

/// The clocks for 4 or 8 lanes, whose texels have at most 8 bytes.
unsigned clocks_of_words(const PlacesInPlane& places, std::uint32_t group, bool is_array) {
    Banks<4, 8> lines;
    Banks<16, 8> words;
    for_each_lane(group, [&](unsigned lane) {
        const Place line = line_of(places.place[lane]);
        const std::uint64_t word = word_of(places.place[lane]);
        lines.ask(line.row + 2 * line.in_row, number_of(line));
        words.ask(word + (is_array ? 4 * (line.row % 2) : 0), number_of(line) * 16 + word);
    });
    return std::max(lines.clocks(), words.clocks());
}

}  // namespace

unsigned clocks_of_access(const Request& request) {
    Banks<4, 64> lines;
    for_each_lane(request.lanes, [&](unsigned lane) {
        for (const std::uint64_t byte : {request.address[lane], request.address[lane] + request.bytes - 1})
            lines.ask(group_of(byte / 128), byte / 128);
    });
    return std::max({lines.clocks(), wavefronts_of(request).all, request.bytes / 4});
}

unsigned clocks_of_linear_fetch(const Request& request, unsigned bytes) {
    return sum_of_groups(request.lanes, bytes < 16 ? 8 : 4, [&](std::uint32_t group) {
        Banks<1, 8> lines;
        Banks<8, 8> words;
        for_each_lane(group, [&](unsigned lane) {
            const std::uint64_t address = request.address[lane];
            if (address == 0) return;  // unknown
            if (bytes < 16) lines.ask(0, address / 128);
            const std::uint64_t word = address / (bytes < 16 ? 8 : 16);
            words.ask(word, word);
        });
        return std::max(lines.clocks(), words.clocks());
    });
}

unsigned clocks_of_plane_fetch(const PlacesInPlane& places, unsigned bytes, unsigned texels, bool is_array) {
    constexpr unsigned at_a_time = 4;
    if (bytes < 16)
        return sum_of_groups(places.lanes, at_a_time,
                             [&](std::uint32_t group) { return clocks_of_words(places, group, is_array); });
    const unsigned of_quad = sum_of_groups(places.lanes, at_a_time, [&](std::uint32_t group) {
        Banks<128, at_a_time> texels_of_bank;
        for_each_lane(group, [&](unsigned lane) {
            const Place place = places.place[lane];
            texels_of_bank.ask(place.row % 16 * 8 + place.in_row / 16 % 8, number_of(place));
        });
        return std::min(at_a_time, 2 * texels_of_bank.clocks());
    });
    return of_quad * (texels > 1 ? 2 : 1);
}

unsigned clocks_near(const Request& request, unsigned texels) {
    return (texels > 4 ? 2 : 1) * sum_of_groups(request.lanes, 4, [&](std::uint32_t group) {
               Banks<1, 4> lines;
               for_each_lane(group, [&](unsigned lane) {
                   if (request.address[lane] != 0) lines.ask(0, request.address[lane] / 128);
               });
               return lines.clocks();
           });
}

unsigned clocks_of_surface(const PlacesInPlane& places, unsigned bytes) {
    if (bytes >= 16) return sum_of_groups(places.lanes, 4, [](std::uint32_t) { return 2U; });
    return sum_of_groups(places.lanes, bytes < 8 ? 8 : 4,
                         [&](std::uint32_t group) { return clocks_of_words(places, group, false); });
}

std::uint64_t address_in_lines(std::uint64_t begin, std::size_t row_bytes, Place place) {
    const Place line = line_of(place);
    const std::uint64_t number = line.row * ((row_bytes + 31) / 32) + line.in_row;
    // 4 times the address leaves room for the rest of the last lines, even if the array has one row.
    return begin / 32 * 128 + number * 128 + word_of(place) * 8 + place.in_row % 8;
}

}  // namespace cudabook::emulation
