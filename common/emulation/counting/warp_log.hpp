// What the threads of a warp did since they last waited for others: who asked for what, where in the code.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/emulation/counting/requests.hpp"

namespace cudabook::emulation {

enum class Access : std::uint8_t { load, store, atomic, fetch };

/// One access of a thread. For a fetch the address is the number of texels.
struct Event {
    Event() = default;
    Event(std::uint64_t address, std::uint32_t at, unsigned bytes, Access access)
        : packed_(address | std::uint64_t{bytes} << 48U | static_cast<std::uint64_t>(access) << 56U),
          place(at) {}
    [[nodiscard]] std::uint64_t address() const { return packed_ & 0xffff'ffff'ffffU; }
    [[nodiscard]] unsigned bytes() const { return static_cast<unsigned>(packed_ >> 48U & 0xffU); }
    [[nodiscard]] Access access() const { return static_cast<Access>(packed_ >> 56U); }

  private:
    std::uint64_t packed_;  ///< the address in 48 bits, the size, the kind

  public:
    std::uint32_t place;  ///< in the code: the return address' lower half
};

/// The events of one thread, in order.
class ThreadLog {
  public:
    [[nodiscard]] bool empty() const { return end_ == begin_; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] const Event& operator[](std::size_t i) const { return begin_[i]; }
    [[nodiscard]] bool full() const { return end_ == limit_; }
    void add(const Event& event) { *end_++ = event; }
    void clear() { end_ = begin_; }

    /// Moves to a larger buffer. Errors: std::bad_alloc.
    void use(std::vector<Event>& buffer) {
        const std::size_t size = this->size();
        if (size > 0) std::copy(begin_, end_, buffer.data());
        begin_ = buffer.data();
        end_ = begin_ + size;
        limit_ = begin_ + buffer.size();
    }
    void use_none() { begin_ = end_ = limit_ = nullptr; }

  private:
    Event* begin_ = nullptr;
    Event* end_ = nullptr;
    Event* limit_ = nullptr;
};

/// Calls use(event of one of the lanes, request) for each request that the lanes of a warp made. The k-th
/// execution of a place of the code by each lane, since the lanes last waited, is one request.
template <class Use>
void for_each_request(const ThreadLog* lanes, unsigned count, Use use) {
    std::array<unsigned, 32> active{};
    unsigned active_count = 0;
    std::uint32_t mask = 0;
    std::size_t least = ~std::size_t{0};
    std::size_t most = 0;
    for (unsigned lane = 0; lane < count; ++lane) {
        const std::size_t size = lanes[lane].size();
        if (size == 0) continue;
        active[active_count++] = lane;
        mask |= 1U << lane;
        least = std::min(least, size);
        most = std::max(most, size);
    }
    if (active_count == 0) return;

    // As long as all lanes do the same.
    Request request;
    request.lanes = mask;
    std::size_t together = 0;
    for (; together < least; ++together) {
        const Event& first = lanes[active[0]][together];
        bool same = true;
        for (unsigned i = 0; i < active_count; ++i) {
            const Event& event = lanes[active[i]][together];
            same &= event.place == first.place;
            request.address[active[i]] = event.address();
        }
        if (!same) break;
        request.bytes = first.bytes();
        use(first, request);
    }
    if (together == most) return;

    // The others by place and number.
    std::map<std::uint32_t, std::vector<std::pair<const Event*, Request>>> requests;
    for (unsigned i = 0; i < active_count; ++i) {
        const unsigned lane = active[i];
        std::map<std::uint32_t, std::size_t> times;
        for (std::size_t e = together; e < lanes[lane].size(); ++e) {
            const Event& event = lanes[lane][e];
            auto& of_place = requests[event.place];
            const std::size_t k = times[event.place]++;
            if (k == of_place.size()) {
                of_place.emplace_back(&event, Request{});
                of_place[k].second.bytes = event.bytes();
            }
            of_place[k].second.lanes |= 1U << lane;
            of_place[k].second.address[lane] = event.address();
        }
    }
    for (const auto& [place, of_place] : requests)
        for (const auto& [event, diverged] : of_place) use(*event, diverged);
}

}  // namespace cudabook::emulation
