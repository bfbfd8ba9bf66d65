// What the threads of a warp did since they last waited for others: who asked for what, where in the code.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulation/counting/requests.hpp"

namespace cudabook::emulation {

enum class Access : std::uint8_t {
    global_load,
    global_store,
    global_atomic,
    shared_load,
    shared_store,
    shared_atomic,
    fetch,             ///< from a texture of one dimension; its size: packed_fetch()
    fetch_from_plane,  ///< from any other
};
inline bool is_shared(Access access) {
    return access >= Access::shared_load && access <= Access::shared_atomic;
}

/// The size of a fetch: texels of so many bytes, and how many it reads, a power of 2.
inline unsigned packed_fetch(unsigned bytes, unsigned texels) {
    return bytes | static_cast<unsigned>(std::countr_zero(texels)) << 5U;
}
inline unsigned bytes_of_fetch(unsigned packed) { return packed & 31U; }
inline unsigned texels_of_fetch(unsigned packed) { return 1U << (packed >> 5U); }

/// One access of a thread. Where the place of a texel in memory is not known, its address is 0.
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
    std::uint32_t place;  ///< in the code: the return address' lower half; in shared memory, its complement
};

/// The events of one thread, in order.
class ThreadLog {
  public:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] const Event* begin() const { return begin_; }
    [[nodiscard]] const Event* end() const { return end_; }
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

/// What is left of a lane's log.
struct Rest {
    unsigned lane = 0;
    const Event* next = nullptr;
    const Event* end = nullptr;
};

/// Puts together what the lanes of a warp did: their accesses at one place of the code, at the same time, are
/// one request. The logs do not say when that was, but what the lanes must have done together, if they met
/// again wherever they could: as long as all lanes are at the same places, all together. Where they differ,
/// each place to which all came equally often was such a meeting, in order; so what lies between two
/// meetings is put together on its own. Where there is no such place, the k-th access of each lane at a place.
template <class Use>
class Warp {
  public:
    /// `use` is called with an event of one of the lanes and the request.
    explicit Warp(Use use) : use_(use) {}

    void put_together(const ThreadLog* logs, unsigned lanes) {
        std::vector<Rest>& rests = whole_;
        rests.clear();
        for (unsigned lane = 0; lane < lanes; ++lane)
            if (logs[lane].size() > 0) rests.push_back({lane, logs[lane].begin(), logs[lane].end()});
        put_together(rests);
    }

  private:
    struct PlaceCount {
        std::uint32_t place = 0;
        unsigned lanes = 0;           ///< that came there as often as the first of them
        unsigned of_first_lane = 0;   ///< how often that came there
        unsigned of_this_lane = 0;
    };

    /// The rests are not empty.
    void put_together(std::vector<Rest>& rests) {
        while (!rests.empty()) {
            go_on_together(rests);
            std::erase_if(rests, [](const Rest& rest) { return rest.next == rest.end; });
            if (rests.empty()) return;
            const std::uint32_t place = rests[0].next->place;
            if (std::ranges::all_of(rests, [=](const Rest& rest) { return rest.next->place == place; }))
                continue;
            const std::vector<std::uint32_t> meetings = meetings_of(rests);
            if (meetings.empty()) return number_by_place(rests);
            put_together_up_to_meetings(rests, meetings);
        }
    }

    /// As long as all are at the same places and none is at its end.
    void go_on_together(std::vector<Rest>& rests) {
        Request request;
        request.lanes = 0;
        std::size_t least = ~std::size_t{0};
        for (const Rest& rest : rests) {
            request.lanes |= 1U << rest.lane;
            least = std::min(least, static_cast<std::size_t>(rest.end - rest.next));
        }
        std::size_t together = 0;
        for (; together < least; ++together) {
            const Event& first = rests[0].next[together];
            bool same = true;
            request.begin(first.bytes());
            for (const Rest& rest : rests) {
                const Event& event = rest.next[together];
                same &= event.place == first.place;
                request.add(rest.lane, event.address());
            }
            if (!same) break;
            use_(first, request);
        }
        for (Rest& rest : rests) rest.next += together;
    }

    /// The places to which all come equally often, if all come there in the same order; else the one of them
    /// to which they come most often.
    static std::vector<std::uint32_t> meetings_of(const std::vector<Rest>& rests) {
        std::vector<PlaceCount> counts;
        const auto count_at = [&](std::uint32_t place) {
            return std::ranges::lower_bound(counts, place, {}, &PlaceCount::place);
        };
        for (const Event* event = rests[0].next; event != rests[0].end; ++event) {
            const auto found = count_at(event->place);
            if (found != counts.end() && found->place == event->place)
                ++found->of_first_lane;
            else
                counts.insert(found, {event->place, 0, 1, 0});
        }
        for (const Rest& rest : rests) {
            for (PlaceCount& count : counts) count.of_this_lane = 0;
            for (const Event* event = rest.next; event != rest.end; ++event) {
                const auto found = count_at(event->place);
                if (found != counts.end() && found->place == event->place) ++found->of_this_lane;
            }
            for (PlaceCount& count : counts) count.lanes += count.of_this_lane == count.of_first_lane ? 1 : 0;
        }
        std::erase_if(counts, [&](const PlaceCount& count) { return count.lanes != rests.size(); });
        std::vector<std::uint32_t> places(counts.size());
        std::ranges::transform(counts, places.begin(), &PlaceCount::place);
        if (places.size() > 1 && !in_same_order(rests, places))
            places = {std::ranges::max_element(counts, {}, &PlaceCount::of_first_lane)->place};
        return places;
    }

    static bool in_same_order(const std::vector<Rest>& rests, const std::vector<std::uint32_t>& places) {
        const auto next_of = [&](const Event* event, const Event* end) {
            return std::find_if(event, end, [&](const Event& at) {
                return std::ranges::binary_search(places, at.place);
            });
        };
        return std::ranges::all_of(rests, [&](const Rest& rest) {
            const Event* first = next_of(rests[0].next, rests[0].end);
            const Event* here = next_of(rest.next, rest.end);
            while (first != rests[0].end && here != rest.end && first->place == here->place) {
                first = next_of(first + 1, rests[0].end);
                here = next_of(here + 1, rest.end);
            }
            return first == rests[0].end && here == rest.end;
        });
    }

    /// What lies before each meeting, and the meeting.
    void put_together_up_to_meetings(std::vector<Rest>& rests, const std::vector<std::uint32_t>& meetings) {
        const auto is_meeting = [&](const Event& event) {
            return std::ranges::binary_search(meetings, event.place);
        };
        std::vector<Rest> before;
        while (std::any_of(rests[0].next, rests[0].end, is_meeting)) {
            before.clear();
            for (Rest& rest : rests) {
                const Event* meeting = std::find_if(rest.next, rest.end, is_meeting);
                if (meeting != rest.next) before.push_back({rest.lane, rest.next, meeting});
                rest.next = meeting;
            }
            put_together(before);
            Request request;
            const Event& first = *rests[0].next;
            request.begin(first.bytes());
            for (Rest& rest : rests) {
                request.lanes |= 1U << rest.lane;
                request.add(rest.lane, rest.next++->address());
            }
            use_(first, request);
        }
    }

    void number_by_place(const std::vector<Rest>& rests) {
        struct Numbered {
            std::uint32_t place;
            unsigned number;
            unsigned lane;
            const Event* event;
        };
        std::vector<Numbered> all;
        for (const Rest& rest : rests) {
            const std::size_t first = all.size();
            for (const Event* event = rest.next; event != rest.end; ++event)
                all.push_back({event->place, 0, rest.lane, event});
            const auto of_lane = all.begin() + static_cast<std::ptrdiff_t>(first);
            std::stable_sort(of_lane, all.end(), [](const Numbered& a, const Numbered& b) { return a.place < b.place; });
            for (std::size_t i = first + 1; i < all.size(); ++i)
                if (all[i].place == all[i - 1].place) all[i].number = all[i - 1].number + 1;
        }
        const auto key = [](const Numbered& one) { return std::pair(one.place, one.number); };
        std::ranges::stable_sort(all, {}, key);
        for (std::size_t i = 0; i < all.size();) {
            Request request;
            const Event& first = *all[i].event;
            const auto of_request = key(all[i]);
            request.begin(first.bytes());
            for (; i < all.size() && key(all[i]) == of_request; ++i) {
                request.lanes |= 1U << all[i].lane;
                request.add(all[i].lane, all[i].event->address());
            }
            use_(first, request);
        }
    }

    Use use_;
    std::vector<Rest> whole_;
};

}  // namespace cudabook::emulation
