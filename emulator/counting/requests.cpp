#include "emulator/counting/requests.hpp"

#include <algorithm>
#include <bit>

#include "emulator/engine/warp_functions.hpp"

namespace cudabook::emulation {

namespace {

constexpr unsigned banks = 32;

/// Returns the maximum, over all banks, of the number of different words that the lanes access.
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

/// Returns whether all active lanes have the same address as their partners, as far as these are active.
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

/// A small set of numbers.
template <std::size_t most>
class Numbers {
  public:
    void add(std::uint64_t number) {
        for (unsigned i = count_; i > 0; --i)
            if (numbers_[i - 1] == number) return;
        numbers_[count_++] = number;
    }
    [[nodiscard]] unsigned count() const { return count_; }

  private:
    std::array<std::uint64_t, most> numbers_;
    unsigned count_ = 0;
};

}  // namespace

unsigned sectors_of(const Request& request) {
    if (request.ascending && request.aligned()) return request.sector_changes;
    Numbers<64> sectors;
    for_each_lane(request.lanes, [&](unsigned lane) {
        sectors.add(request.address[lane] / 32);
        if (!request.aligned()) sectors.add((request.address[lane] + request.bytes - 1) / 32);
    });
    return sectors.count();
}

unsigned addresses_of(const Request& request) {
    Numbers<32> addresses;
    for_each_lane(request.lanes, [&](unsigned lane) { addresses.add(request.address[lane]); });
    return addresses.count();
}

FetchParts parts_of_fetch(const Request& request, bool from_plane) {
    return parts_of_groups(request, from_plane || request.bytes == 16 ? 4 : 8);
}

FetchParts parts_of_groups(const Request& request, unsigned at_a_time) {
    FetchParts parts;
    for (unsigned first = 0; first < 32; first += at_a_time) {
        const std::uint32_t group = request.lanes & ((1U << at_a_time) - 1) << first;
        if (group == 0) continue;
        ++parts.tag_requests;
        Numbers<8> sectors;
        for_each_lane(group, [&](unsigned lane) {
            if (request.address[lane] != 0) sectors.add(request.address[lane] / 32);
        });
        parts.sectors += sectors.count();
    }
    return parts;
}

Wavefronts wavefronts_of(const Request& request) {
    Wavefronts sum;
    if (request.bytes <= 4) {
        // If the request spans at most 32 consecutive words, no two different words are in the same bank.
        if (request.ascending && request.last / 4 - request.first / 4 < banks) return {1, 0};
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
