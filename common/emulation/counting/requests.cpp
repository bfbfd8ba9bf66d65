#include "common/emulation/counting/requests.hpp"

#include <algorithm>
#include <bit>

#include "common/emulation/warp_functions.hpp"

namespace cudabook::emulation {

namespace {

constexpr unsigned banks = 32;

/// The most different words that a bank is asked for by the lanes.
unsigned most_words_of_a_bank(const Request& request, std::uint32_t lanes) {
    std::array<std::uint8_t, banks> words_of_bank{};
    std::array<std::array<std::uint64_t, 32>, banks> words;
    const unsigned words_of_access = (request.bytes + 3) / 4;
    unsigned most = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t first = request.address[static_cast<unsigned>(std::countr_zero(lanes))] / 4;
        for (unsigned i = 0; i < words_of_access; ++i) {
            const std::uint64_t word = first + i;
            const std::size_t bank = word % banks;
            std::uint8_t& count = words_of_bank[bank];
            const auto end = words[bank].begin() + count;
            if (std::find(words[bank].begin(), end, word) != end) continue;
            *end = word;
            most = std::max<unsigned>(most, ++count);
        }
    }
    return most;
}

/// Whether each active lane whose partner is active too has the same address as that.
bool pairs_agree(const Request& request, std::uint32_t lanes, unsigned distance) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const unsigned partner = lane ^ distance;
        if ((lanes >> partner & 1U) != 0 && request.address[lane] != request.address[partner]) return false;
    }
    return true;
}

bool go_together(const Request& request, std::uint32_t lanes) {
    return pairs_agree(request, lanes, 1) || pairs_agree(request, lanes, 2);
}

void add_group(Wavefronts& sum, const Request& request, std::uint32_t lanes) {
    if (lanes == 0) return;
    const unsigned wavefronts = most_words_of_a_bank(request, lanes);
    sum.all += wavefronts;
    sum.conflicts += wavefronts - 1;
}

}  // namespace

unsigned sectors_of(const Request& request) {
    if (request.ascending && request.aligned()) return request.sector_changes;
    std::array<std::uint64_t, 64> sectors;
    auto end = sectors.begin();
    for_each_lane(request.lanes, [&](unsigned lane) {
        const std::uint64_t last = (request.address[lane] + request.bytes - 1) / 32;
        for (std::uint64_t sector = request.address[lane] / 32; sector <= last; ++sector) *end++ = sector;
    });
    std::sort(sectors.begin(), end);
    return static_cast<unsigned>(std::unique(sectors.begin(), end) - sectors.begin());
}

FetchParts parts_of_fetch(const Request& request, bool from_plane) {
    const unsigned at_a_time = from_plane || request.bytes == 16 ? 4 : 8;
    FetchParts parts;
    for (unsigned first = 0; first < 32; first += at_a_time) {
        const std::uint32_t group = request.lanes & ((1U << at_a_time) - 1) << first;
        if (group == 0) continue;
        ++parts.tag_requests;
        Request in_memory;
        in_memory.begin(request.bytes);
        for_each_lane(group, [&](unsigned lane) {
            if (request.address[lane] == 0) return;
            in_memory.lanes |= 1U << lane;
            in_memory.add(lane, request.address[lane]);
        });
        if (in_memory.lanes != 0) parts.sectors += sectors_of(in_memory);
    }
    return parts;
}

Wavefronts wavefronts_of(const Request& request) {
    Wavefronts sum;
    if (request.bytes <= 4) {
        add_group(sum, request, request.lanes);
    } else if (request.bytes == 8) {
        if (go_together(request, request.lanes)) {
            add_group(sum, request, request.lanes);
        } else {
            for (const std::uint32_t half : {0xffffU, 0xffff0000U})
                add_group(sum, request, request.lanes & half);
        }
    } else {
        for (unsigned first = 0; first < 32; first += 16) {
            const std::uint32_t half = request.lanes & 0xffffU << first;
            if (go_together(request, half)) {
                add_group(sum, request, half);
            } else {
                add_group(sum, request, half & 0xffU << first);
                add_group(sum, request, half & 0xff00U << first);
            }
        }
    }
    return sum;
}

}  // namespace cudabook::emulation
