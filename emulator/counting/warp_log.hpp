// The logs of a warp's threads: their accesses, the accesses' places in the code, and the basic blocks that
// the threads enter.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/counting/block_order.hpp"
#include "emulator/counting/requests.hpp"

namespace cudabook::emulation {

enum class Access : std::uint8_t {
    global_load,
    global_store,
    global_atomic,
    shared_load,
    shared_store,
    shared_atomic,
    fetch,             ///< by tex1Dfetch(); Event::bytes() is packed_fetch()
    fetch_from_plane,  ///< any other fetch; Event::bytes() is packed_fetch()
    constant_load,
    surface_load,  ///< from a CUDA array
    surface_store,
    // Events that do not access memory:
    shuffle,
    barrier,
    warp_barrier,
    condition,
    block,  ///< a basic block begins
    // Becomes fetch_from_plane when it is counted:
    fetch_near,  ///< a fetch with an address that is only near the texels
};
inline bool is_shared(Access access) {
    return access >= Access::shared_load && access <= Access::shared_atomic;
}

/// Packs the bytes of a texel and the number of texels that a fetch reads, a power of 2, into one number.
inline unsigned packed_fetch(unsigned bytes, unsigned texels) {
    return bytes | static_cast<unsigned>(std::countr_zero(texels)) << 5U;
}
inline unsigned bytes_of_fetch(unsigned packed) { return packed & 31U; }
inline unsigned texels_of_fetch(unsigned packed) { return 1U << (packed >> 5U); }

/// An event of a thread: an access, a synchronization, or one or several entries to a basic block in a row.
/// The address of a texel is 0 if the texel's place in memory is unknown.
class Event {
  public:
    Event() = default;
    /// `place` is the lower half of the return address in the code or, for shared memory, its complement.
    Event(std::uint64_t address, unsigned bytes, Access access, std::uint32_t place)
        : access_(address | std::uint64_t{bytes} << 48U | static_cast<std::uint64_t>(access) << 56U),
          place_(place) {}
    /// Returns an entry to the basic block at this place. `calls` is a hash of the calls that led there.
    static Event block(std::uint32_t place, std::uint32_t calls) {
        Event event(1, 0, Access::block, place);
        event.place_ |= std::uint64_t{calls} << 32U;
        return event;
    }
    [[nodiscard]] std::uint64_t address() const { return access_ & 0xffff'ffff'ffffU; }
    [[nodiscard]] unsigned bytes() const { return static_cast<unsigned>(access_ >> 48U & 0xffU); }
    [[nodiscard]] Access access() const { return static_cast<Access>(access_ >> 56U); }
    [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(place_); }

    /// Returns a number that is the same for all accesses at one place, or for all entries to one block.
    [[nodiscard]] std::uint64_t key() const { return place_; }

    [[nodiscard]] bool is_block() const { return access() == Access::block; }
    [[nodiscard]] std::uint64_t times() const { return address(); }
    void add_time() { ++access_; }
    void drop_times(std::uint64_t times) { access_ -= times; }

  private:
    std::uint64_t access_;  ///< the address (for a block: times()) in 48 bits, the size in 8, the kind in 8
    std::uint64_t place_;   ///< the place in the lower half, and the hash of the calls in the upper half
};

/// The events of one thread, in order.
class ThreadLog {
  public:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
    [[nodiscard]] Event* begin() const { return begin_; }
    [[nodiscard]] Event* end() const { return end_; }
    [[nodiscard]] bool full() const { return end_ == limit_; }
    [[gnu::always_inline]] void add(const Event& event) { *end_++ = event; }
    /// If the thread's last event is an entry to this block, counts one entry more, and returns true.
    [[gnu::always_inline]] bool comes_again(const Event& block) {
        if (end_ == begin_ || end_[-1].key() != block.key()) return false;
        end_[-1].add_time();
        return true;
    }
    void clear() { end_ = begin_; }

    /// Forgets the events before this event.
    void forget_before(Event* event) { end_ = std::copy(event, end_, begin_); }

    /// Moves the events to a larger buffer. Errors: std::bad_alloc.
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

/// Makes requests from the logs of a warp's lanes. A request consists of the accesses that lanes make
/// together at one place of the code. The logs contain no times, so the lanes' paths through the code tell
/// which accesses were made together: when lanes have diverged, the lanes that are behind in the order of the
/// blocks (BlockOrder) go on first. So lanes reconverge where their paths meet, and a lane at the end of a
/// loop's iteration waits for lanes that are still in the iteration.
class Warp {
  public:
    /// Begins a new thread block, which has `lanes` lanes in this warp.
    void begin(unsigned lanes) {
        order_.forget();
        lanes_ = lanes;
        places_.fill({});
    }

    /// Removes from the logs the events that make complete requests, and leaves the other events there.
    /// `ended` has a 1 bit for each lane that has ended; what other lanes do after their logs' ends is
    /// unknown. For each request, calls use.request(event, request) with an event of one of the lanes. The
    /// requests of one call of put_together() are numbered from 0. When lanes enter a basic block together,
    /// calls use.enter(place, times).
    template <class Use>
    void put_together(ThreadLog* logs, std::uint32_t ended, Use use) {
        for (unsigned lane = 0; lane < lanes_; ++lane)
            rests_[lane] = {(ended >> lane & 1U) != 0, false, logs[lane].begin(), logs[lane].end()};
        all_is_seen_ = false;
        requests_ = 0;
        while (go_on(use)) {
        }
        for (unsigned lane = 0; lane < lanes_; ++lane) logs[lane].forget_before(rests_[lane].next);
    }

  private:
    using Block = BlockOrder::Block;

    struct Place {
        Block block = BlockOrder::begin;
        bool is_behind_loop = false;  ///< the lane has ended an iteration of the loop whose first block is
                                      ///< `block`, and has not begun the next iteration
        friend bool operator==(const Place&, const Place&) = default;
    };

    /// The rest of a lane's log.
    struct Rest {
        bool has_ended = false;
        bool is_at_barrier = false;
        Event* next = nullptr;
        Event* end = nullptr;
        [[nodiscard]] bool is_empty() const { return next == end; }
    };

    /// Some lanes, in ascending order.
    struct Group {
        std::array<std::uint8_t, 32> lanes;
        unsigned size = 0;
        void add(unsigned lane) { lanes[size++] = static_cast<std::uint8_t>(lane); }
        [[nodiscard]] const std::uint8_t* begin() const { return lanes.data(); }
        [[nodiscard]] const std::uint8_t* end() const { return lanes.data() + size; }
    };

    static constexpr unsigned nowhere = ~0U;

    /// Advances the lanes that are behind the others. Returns false if no lane is left, or if it is unknown
    /// what these lanes do next.
    template <class Use>
    bool go_on(Use& use) {
        Group group;
        bool is_together = true;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            const Rest& rest = rests_[lane];
            if (rest.is_at_barrier || (rest.is_empty() && rest.has_ended)) continue;
            group.add(lane);
            is_together &= places_[lane] == places_[group.lanes[0]];
        }
        if (group.size == 0) return pass_barrier(use);
        const unsigned limit = is_together ? nowhere : keep_those_behind(group);
        for (const unsigned lane : group) places_[lane].is_behind_loop = false;
        return go_on(group, limit, use);
    }

    /// Keeps in the group the lanes with the lowest position. Returns the lowest position of the other
    /// lanes, or `nowhere` if there are none.
    unsigned keep_those_behind(Group& group) {
        see_all();
        unsigned first = nowhere;
        unsigned second = nowhere;
        Group kept;
        for (const unsigned lane : group) {
            const unsigned position = position_of(places_[lane]);
            if (position < first) {
                second = first;
                first = position;
                kept.size = 0;
            }
            if (position == first)
                kept.add(lane);
            else if (position < second)
                second = position;
        }
        group = kept;
        return second;
    }

    [[nodiscard]] unsigned position_of(const Place& place) const {
        return place.is_behind_loop ? order_.end_of_loop(place.block) : order_.position(place.block);
    }

    /// Returns a lane's place after the step between two blocks. The step must have been seen.
    [[nodiscard]] Place place_after(Block from, Block to) const {
        return {to, order_.position(to) <= order_.position(from)};
    }

    /// Notes all steps in the logs, so that the order of the blocks is known.
    void see_all() {
        if (all_is_seen_) return;
        all_is_seen_ = true;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            Block block = places_[lane].block;
            for (const Event* event = rests_[lane].next; event != rests_[lane].end; ++event) {
                if (!event->is_block()) continue;
                const Block to = order_.block_of(event->key());
                order_.see(block, to);
                if (event->times() > 1) order_.see(to, to);
                block = to;
            }
        }
        order_.sort();
    }

    /// Advances the lanes, which are at the same place, until they diverge or come to the position `limit`.
    /// Returns false if it is unknown what they do next.
    template <class Use>
    bool go_on(Group& group, unsigned limit, Use& use) {
        for (;;) {
            if (do_the_same(group, limit, use)) return true;
            Group left;
            bool is_known = true;
            for (const unsigned lane : group) {
                const Rest& rest = rests_[lane];
                if (!rest.is_empty()) left.add(lane);
                is_known &= !rest.is_empty() || rest.has_ended;
            }
            if (!is_known) return false;
            group = left;
            if (group.size == 0) return true;
            if (!do_the_next(group, use)) return part(group, use);
        }
    }

    /// Advances the lanes while all do the same and none is at the end of its log. Returns true if they
    /// have come to the position `limit`.
    template <class Use>
    bool do_the_same(const Group& group, unsigned limit, Use& use) {
        Place place = places_[group.lanes[0]];
        Request request;
        std::array<Event*, 32> next;
        std::size_t least = ~std::size_t{0};
        for (unsigned i = 0; i < group.size; ++i) {
            const Rest& rest = rests_[group.lanes[i]];
            request.lanes |= 1U << group.lanes[i];
            next[i] = rest.next;
            least = std::min(least, static_cast<std::size_t>(rest.end - rest.next));
        }
        bool is_limit = false;
        bool some_remain = false;  // some lanes have further entries to the block
        std::size_t done = 0;
        while (done < least && !is_limit && !some_remain) {
            const Event& first = next[0][done];
            if (first.access() == Access::barrier) break;
            bool same = true;
            for (unsigned i = 1; i < group.size; ++i) same &= next[i][done].key() == first.key();
            if (!same) break;
            if (!first.is_block()) {
                request.begin(first.bytes(), first.address());
                for (unsigned i = 0; i < group.size; ++i)
                    request.add(group.lanes[i], next[i][done].address());
                give(first, request, use);
                ++done;
                continue;
            }
            std::uint64_t least_times = first.times();
            std::uint64_t most_times = first.times();
            for (unsigned i = 1; i < group.size; ++i) {
                least_times = std::min(least_times, next[i][done].times());
                most_times = std::max(most_times, next[i][done].times());
            }
            const auto [times, after] =
                come_to(order_.block_of(first.key()), place.block, least_times, limit);
            use.enter(first.place(), times);
            place = after;
            is_limit = limit != nowhere && position_of(place) >= limit;
            some_remain = times < most_times;
            if (some_remain)
                for (unsigned i = 0; i < group.size; ++i) next[i][done].drop_times(times);
            else
                ++done;
        }
        for (unsigned i = 0; i < group.size; ++i) {
            Rest& rest = rests_[group.lanes[i]];
            rest.next += done;
            if (some_remain && rest.next->times() == 0) ++rest.next;
            places_[group.lanes[i]] = place;
        }
        return is_limit;
    }

    /// Enters a block `times` times, or less often if the lanes come to the limit. Returns the number of
    /// entries and the lanes' new place.
    std::pair<std::uint64_t, Place> come_to(Block block, Block from, std::uint64_t times, unsigned limit) {
        order_.see(from, block);
        if (times > 1) order_.see(block, block);
        if (limit == nowhere) return {times, Place{block}};
        const Place place = place_after(from, block);
        if (position_of(place) >= limit) return {1, place};
        if (times > 1 && order_.end_of_loop(block) >= limit) return {2, {block, true}};
        return {times, Place{block}};
    }

    /// Among the lanes' next accesses, finds the one that is first in the code. Makes a request of this
    /// access by all lanes that do it next. Returns false if no lane's next event is an access.
    template <class Use>
    bool do_the_next(const Group& group, Use& use) {
        const auto is_access = [](const Event& event) {
            return !event.is_block() && event.access() != Access::barrier;
        };
        const auto in_code = [](const Event& event) {
            return is_shared(event.access()) ? ~event.place() : event.place();
        };
        const Event* first = nullptr;
        for (const unsigned lane : group) {
            const Event& event = *rests_[lane].next;
            if (is_access(event) && (first == nullptr || in_code(event) < in_code(*first))) first = &event;
        }
        if (first == nullptr) return false;
        Request request;
        request.begin(first->bytes(), first->address());
        for (const unsigned lane : group) {
            Rest& rest = rests_[lane];
            if (!is_access(*rest.next) || rest.next->key() != first->key()) continue;
            request.lanes |= 1U << lane;
            request.add(lane, rest.next++->address());
        }
        give(*first, request, use);
        return true;
    }

    /// Moves each lane to its next block, or lets it wait at a barrier.
    template <class Use>
    bool part(const Group& group, Use& use) {
        see_all();
        std::array<Block, 32> entered;
        unsigned blocks = 0;
        for (const unsigned lane : group) {
            Rest& rest = rests_[lane];
            if (rest.next->is_block()) {
                const Block to = order_.block_of(rest.next->key());
                if (std::find(entered.begin(), entered.begin() + blocks, to) == entered.begin() + blocks) {
                    entered[blocks++] = to;
                    use.enter(rest.next->place(), 1);
                }
                places_[lane] = place_after(places_[lane].block, to);
                rest.next->drop_times(1);
                if (rest.next->times() == 0) ++rest.next;
            } else {
                rest.is_at_barrier = true;
            }
        }
        return true;
    }

    /// Passes the barrier at which all remaining lanes wait. Returns false if no lane waits.
    template <class Use>
    bool pass_barrier(Use& use) {
        Request request;
        const Event* first = nullptr;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            Rest& rest = rests_[lane];
            if (!rest.is_at_barrier) continue;
            if (first == nullptr) {
                first = rest.next;
                request.begin(first->bytes(), first->address());
            }
            rest.is_at_barrier = false;
            request.lanes |= 1U << lane;
            request.add(lane, rest.next++->address());
        }
        if (first == nullptr) return false;
        give(*first, request, use);
        return true;
    }

    template <class Use>
    void give(const Event& event, Request& request, Use& use) {
        request.place = event.place();
        request.number = requests_++;
        use.request(event, request);
    }

    BlockOrder order_;
    unsigned lanes_ = 0;
    std::array<Place, 32> places_;
    std::array<Rest, 32> rests_;
    bool all_is_seen_ = false;
    unsigned requests_ = 0;
};

}  // namespace cudabook::emulation
