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
    constant_load,
    surface_load,  ///< from a CUDA array
    surface_store,
    // Of no memory:
    shuffle,
    barrier,
    warp_barrier,
    condition,
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
class Event {
  public:
    Event() = default;
    /// `place` in the code: the return address' lower half; in shared memory, its complement. `way`: a
    /// hash of the basic blocks before.
    Event(std::uint64_t address, unsigned bytes, Access access, std::uint32_t place, std::uint32_t way)
        : access_(address | std::uint64_t{bytes} << 48U | static_cast<std::uint64_t>(access) << 56U),
          place_(place | std::uint64_t{way} << 32U) {}
    [[nodiscard]] std::uint64_t address() const { return access_ & 0xffff'ffff'ffffU; }
    [[nodiscard]] unsigned bytes() const { return static_cast<unsigned>(access_ >> 48U & 0xffU); }
    [[nodiscard]] Access access() const { return static_cast<Access>(access_ >> 56U); }
    [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(place_); }
    [[nodiscard]] std::uint64_t place_and_way() const { return place_; }

  private:
    std::uint64_t access_;  ///< the address in 48 bits, the size, the kind
    std::uint64_t place_;   ///< and the way
};

/// The events of one thread, in order.
class ThreadLog {
  public:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] const Event* begin() const { return begin_; }
    [[nodiscard]] const Event* end() const { return end_; }
    [[nodiscard]] bool full() const { return end_ == limit_; }
    [[gnu::always_inline]] void add(const Event& event) { *end_++ = event; }
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

/// Makes requests of what the lanes of a warp did: their accesses at one place of the code, made together,
/// are one request. The logs hold no time. What was made together follows from the lanes' ways through the
/// code, as if lanes that part wait for each other wherever they can. Lanes that go the same way do
/// everything together. Where they part, they meet again
///  - at a place to which all come equally often: each coming is a meeting, and what lies between two
///  meetings
///    is put together on its own;
///  - if there is none, a place to which all come by the same way equally often (the next round of an outer
///    loop, if they do different numbers of rounds of an inner one);
///  - if there is none, the place where they are, if that is the same for all;
///  - else the k-th accesses of each lane at a place are one request.
template <class Use>
class Warp {
  public:
    /// `use` is called with an event of one of the lanes and the request, whose number is that of the calls
    /// before.
    explicit Warp(Use use) : use_(use) {}

    void put_together(const ThreadLog* logs, unsigned lanes) {
        std::vector<Rest>& rests = whole_;
        rests.clear();
        for (unsigned lane = 0; lane < lanes; ++lane)
            if (logs[lane].size() > 0) rests.push_back({lane, logs[lane].begin(), logs[lane].end()});
        put_together(rests);
    }

  private:
    /// A place, or a place and the way there.
    using Key = std::uint64_t;
    using KeyOf = Key (*)(const Event&);
    static Key place_of(const Event& event) { return event.place(); }
    static Key place_and_way_of(const Event& event) { return event.place_and_way(); }

    struct KeyCount {
        Key key = 0;
        unsigned lanes = 0;          ///< that came there as often as the first of them
        unsigned of_first_lane = 0;  ///< how often that came there
        unsigned of_this_lane = 0;
    };
    struct Meetings {
        KeyOf key_of;
        std::vector<Key> keys;  ///< in ascending order
        [[nodiscard]] bool has(const Event& event) const {
            return std::ranges::binary_search(keys, key_of(event));
        }
    };

    /// The rests are not empty.
    void put_together(std::vector<Rest>& rests) {
        while (!rests.empty()) {
            go_on_together(rests);
            std::erase_if(rests, [](const Rest& rest) { return rest.next == rest.end; });
            if (rests.empty()) return;
            Meetings meetings = meetings_of(rests, place_of);
            if (meetings.keys.empty()) meetings = meetings_of(rests, place_and_way_of);
            if (!meetings.keys.empty()) {
                put_together_up_to_meetings(rests, meetings);
                continue;
            }
            if (!at_one_place(rests)) return number_by_place(rests);
            do put_next_together(rests);
            while (at_one_place(rests));
        }
    }

    static bool at_one_place(const std::vector<Rest>& rests) {
        return std::ranges::all_of(rests, [&](const Rest& rest) {
            return rest.next != rest.end && rest.next->place() == rests[0].next->place();
        });
    }

    /// As long as all go the same way and none is at its end.
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
            request.begin(first.bytes(), first.address());
            for (const Rest& rest : rests) {
                const Event& event = rest.next[together];
                same &= event.place_and_way() == first.place_and_way();
                request.add(rest.lane, event.address());
            }
            if (!same) break;
            give(first, request);
        }
        for (Rest& rest : rests) rest.next += together;
    }

    void put_next_together(std::vector<Rest>& rests) {
        Request request;
        const Event& first = *rests[0].next;
        request.begin(first.bytes(), first.address());
        for (Rest& rest : rests) {
            request.lanes |= 1U << rest.lane;
            request.add(rest.lane, rest.next++->address());
        }
        give(first, request);
    }

    /// Where all come equally often, if all come there in the same order; else that of them where they come
    /// most often.
    static Meetings meetings_of(const std::vector<Rest>& rests, KeyOf key_of) {
        std::vector<KeyCount> counts;
        const auto count_of = [&](Key key) {
            return std::ranges::lower_bound(counts, key, {}, &KeyCount::key);
        };
        for (const Event* event = rests[0].next; event != rests[0].end; ++event) {
            const Key key = key_of(*event);
            const auto found = count_of(key);
            if (found != counts.end() && found->key == key)
                ++found->of_first_lane;
            else
                counts.insert(found, {key, 0, 1, 0});
        }
        for (const Rest& rest : rests) {
            for (KeyCount& count : counts) count.of_this_lane = 0;
            for (const Event* event = rest.next; event != rest.end; ++event) {
                const Key key = key_of(*event);
                const auto found = count_of(key);
                if (found != counts.end() && found->key == key) ++found->of_this_lane;
            }
            for (KeyCount& count : counts) count.lanes += count.of_this_lane == count.of_first_lane ? 1 : 0;
        }
        std::erase_if(counts, [&](const KeyCount& count) { return count.lanes != rests.size(); });
        Meetings meetings{key_of, std::vector<Key>(counts.size())};
        std::ranges::transform(counts, meetings.keys.begin(), &KeyCount::key);
        if (meetings.keys.size() > 1 && !in_same_order(rests, meetings))
            meetings.keys = {std::ranges::max_element(counts, {}, &KeyCount::of_first_lane)->key};
        return meetings;
    }

    static const Event* next_of(const Meetings& meetings, const Event* event, const Event* end) {
        return std::find_if(event, end, [&](const Event& at) { return meetings.has(at); });
    }

    static bool in_same_order(const std::vector<Rest>& rests, const Meetings& meetings) {
        return std::ranges::all_of(rests, [&](const Rest& rest) {
            const Event* first = next_of(meetings, rests[0].next, rests[0].end);
            const Event* here = next_of(meetings, rest.next, rest.end);
            while (first != rests[0].end && here != rest.end &&
                   meetings.key_of(*first) == meetings.key_of(*here)) {
                first = next_of(meetings, first + 1, rests[0].end);
                here = next_of(meetings, here + 1, rest.end);
            }
            return first == rests[0].end && here == rest.end;
        });
    }

    /// What lies before each meeting, and the meeting.
    void put_together_up_to_meetings(std::vector<Rest>& rests, const Meetings& meetings) {
        std::vector<Rest> before;
        while (next_of(meetings, rests[0].next, rests[0].end) != rests[0].end) {
            before.clear();
            for (Rest& rest : rests) {
                const Event* meeting = next_of(meetings, rest.next, rest.end);
                if (meeting != rest.next) before.push_back({rest.lane, rest.next, meeting});
                rest.next = meeting;
            }
            put_together(before);
            put_next_together(rests);
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
                all.push_back({event->place(), 0, rest.lane, event});
            const auto of_lane = all.begin() + static_cast<std::ptrdiff_t>(first);
            std::stable_sort(of_lane, all.end(),
                             [](const Numbered& a, const Numbered& b) { return a.place < b.place; });
            for (std::size_t i = first + 1; i < all.size(); ++i)
                if (all[i].place == all[i - 1].place) all[i].number = all[i - 1].number + 1;
        }
        const auto key = [](const Numbered& one) { return std::pair(one.place, one.number); };
        std::ranges::stable_sort(all, {}, key);
        for (std::size_t i = 0; i < all.size();) {
            Request request;
            const Event& first = *all[i].event;
            const auto of_request = key(all[i]);
            request.begin(first.bytes(), first.address());
            for (; i < all.size() && key(all[i]) == of_request; ++i) {
                request.lanes |= 1U << all[i].lane;
                request.add(all[i].lane, all[i].event->address());
            }
            give(first, request);
        }
    }

    void give(const Event& event, Request& request) {
        request.place = event.place();
        request.number = requests_++;
        use_(event, request);
    }

    Use use_;
    unsigned requests_ = 0;
    std::vector<Rest> whole_;
};

}  // namespace cudabook::emulation
