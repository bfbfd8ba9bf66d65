#include "emulator/checks/stream_races.hpp"

#if CUDABOOK_THREAD_SANITIZER

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/address_table.hpp"
#include "emulator/checks/fail_at_end.hpp"
#include "emulator/checks/identity.hpp"
#include "emulator/checks/source_line.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/kernel_heap.hpp"
#include "emulator/runtime/pending_work.hpp"

extern "C" {
extern const char __executable_start;  // the linker's  NOLINT(bugprone-reserved-identifier)
}

namespace cudabook::emulation {

constinit thread_local const WatchedWork* watched_work = nullptr;
constinit std::atomic<std::uint32_t> last_pending = 0;

namespace {

/// The last accesses of a kind to four bytes: the number of the work, which of the bytes it has used, and
/// whether all its accesses to them were atomic. Work 0: there was no access.
class LastAccess {
  public:
    LastAccess() = default;
    LastAccess(std::uint32_t work, unsigned bytes, bool is_atomic)
        : bits_(work << 5U | (is_atomic ? 16U : 0U) | bytes) {}
    [[nodiscard]] std::uint32_t work() const { return bits_ >> 5U; }
    [[nodiscard]] unsigned bytes() const { return bits_ & 15U; }
    [[nodiscard]] bool is_atomic() const { return (bits_ & 16U) != 0; }

  private:
    std::uint32_t bits_ = 0;
};

struct Word {
    std::atomic<LastAccess> write;
    std::atomic<LastAccess> read;
    std::atomic<LastAccess> read_before;  ///< by the work that had read before `read`
};
struct Leaf {
    std::array<Word, leaf_bytes / 4> words;
};
AddressTable<Leaf> table;

/// The last access of the host to four bytes while work was pending: the time, the place's distance from the
/// program's begin, which of the bytes were used, and whether the access was atomic. Time 0: there was none.
class AccessOfHost {
  public:
    AccessOfHost() = default;
    AccessOfHost(std::uint32_t time, std::uint32_t place, unsigned bytes, bool is_atomic)
        : bits_(std::uint64_t{time} << 32U | place << 5U | (is_atomic ? 16U : 0U) | bytes) {}
    [[nodiscard]] std::uint32_t time() const { return static_cast<std::uint32_t>(bits_ >> 32U); }
    [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(bits_) >> 5U; }
    [[nodiscard]] unsigned bytes() const { return bits_ & 15U; }
    [[nodiscard]] bool is_atomic() const { return (bits_ & 16U) != 0; }

  private:
    std::uint64_t bits_ = 0;
};

struct HostWord {
    std::atomic<AccessOfHost> write;
    std::atomic<AccessOfHost> read;
};
struct HostLeaf {
    std::array<HostWord, leaf_bytes / 4> words;
};
AddressTable<HostLeaf> host_table;

// Times are numbers, which count the pieces of work that are enqueued and the host's uses of flags.
constinit std::atomic<std::uint32_t> time_now = 0;
constinit std::atomic<std::uint32_t> last_of_host = 0;  ///< the time of the host's last access
constinit std::atomic<std::uint32_t> last_flag = 0;

void raise_to(std::atomic<std::uint32_t>& time, std::uint32_t to) {
    std::uint32_t before = time;
    while (before < to && !time.compare_exchange_weak(before, to)) {
    }
}

/// Returns the distance of the place from the program's begin, or 0 if the distance takes more than 27 bits.
std::uint32_t distance_of(void* place) {
    const auto distance = reinterpret_cast<Address>(place) - reinterpret_cast<Address>(&__executable_start);
    return distance < 1U << 27U ? static_cast<std::uint32_t>(distance) : 0;
}

/// Calls see(address, used) for each four bytes that a range touches, until a call returns false. Bit i of
/// `used` is set if byte i is in the range.
template <class See>
[[gnu::always_inline]] inline void for_each_word(const void* memory, std::size_t bytes, See see) {
    const auto begin = reinterpret_cast<Address>(memory);
    const Address end = begin + bytes;
    for (Address at = begin / 4 * 4; at < end; at += 4) {
        unsigned used = 15U;
        if (at < begin) used &= 15U << (begin - at);
        if (at + 4 > end) used &= 15U >> (at + 4 - end);
        if (!see(at, used)) return;
    }
}

/// Returns whether a table can have data about the bytes.
bool is_in_table(const void* memory, std::size_t bytes) {
    return reinterpret_cast<Address>(memory) + bytes <= std::uint64_t{1} << 47U;
}

const WorkOfReport* beside(const WatchedWork& work, std::uint32_t number) {
    const auto found = std::ranges::lower_bound(work.beside, number, {}, &WorkOfReport::number);
    return found != work.beside.end() && (*found)->number == number ? found->get() : nullptr;
}

std::string_view verb(bool writes) { return writes ? "writes" : "reads"; }

std::string text_of(const WorkOfReport& work) { return work.name + work.enqueued_by.at_line(); }

/// An access of the work that is being done.
struct Access {
    bool writes;
    const void* memory;
    std::size_t bytes;
    void* place;
};

/// Reports a race of the access, once for each line and reason.
template <class Why>
[[gnu::noinline]] void report_race(std::string_view between, const WorkOfReport& work, const Access& access,
                                   Why why) {
    static std::mutex mutex;
    static std::set<std::string> known;
    const Ignored ignored;
    const HeapOfHost heap_of_host;
    if (memory_type(access.memory) == cudaMemoryTypeUnregistered) return;  // a kernel's heap, the host's
    const auto line = users_line(access.place);
    const std::string what =
        fmt::format("{} {} bytes{}", verb(access.writes), access.bytes, line ? ", at " + *line : "");
    const std::string because = why();
    const std::lock_guard lock(mutex);
    if (!known.insert((line ? *line : what) + because).second) return;
    const std::string thread = running_thread();
    print_line(fmt::format("race between {} in {}: {}: {}", between, thread.empty() ? text_of(work) : thread,
                           what, because));
    fail_at_end();
}

void report_other_stream(const WatchedWork& work, const Access& access, const WorkOfReport& other,
                         bool other_writes) {
    report_race("streams", *work.self, access, [&] {
        return fmt::format(
            "{} {} them in another stream, and neither waits for the other (cudaStreamWaitEvent() "
            "lets a stream wait)",
            text_of(other), verb(other_writes));
    });
}

void report_host(const WatchedWork& work, const Access& access, const AccessOfHost& by_host,
                 bool host_writes) {
    report_race("a stream and the host", *work.self, access, [&] {
        const auto line = users_line(const_cast<char*>(&__executable_start) + by_host.place());
        return fmt::format(
            "the host {} them{} before {} is done (cudaStreamSynchronize() and "
            "cudaDeviceSynchronize() wait)",
            verb(host_writes), line ? " at " + *line : "", text_of(*work.self));
    });
}

/// Reports the access, and returns true, if the host has used some of these four bytes since the work was
/// enqueued. The host's uses before its last use of a flag do not count: the work may wait for the flag.
bool is_beside_host(const WatchedWork& work, const Access& access, bool is_atomic, Address at,
                    unsigned used) {
    const HostLeaf* const leaf = host_table.find(at);
    if (leaf == nullptr) return false;
    const HostWord& word = leaf->words[at % leaf_bytes / 4];
    const auto conflicts = [&](const AccessOfHost& host) {
        return host.time() >= work.self->enqueued && host.time() >= last_flag && (host.bytes() & used) != 0 &&
               !(is_atomic && host.is_atomic());
    };
    const AccessOfHost write = word.write.load(std::memory_order_relaxed);
    const AccessOfHost read = word.read.load(std::memory_order_relaxed);
    if (conflicts(write))
        report_host(work, access, write, true);
    else if (access.writes && conflicts(read))
        report_host(work, access, read, false);
    else
        return false;
    return true;
}

}  // namespace

DoingWatched::DoingWatched(const WatchedWork* work)
    : before_(std::exchange(watched_work,
                            work == nullptr || (work->beside.empty() && last_of_host < work->self->enqueued)
                                ? nullptr
                                : work)) {}

void see_in_watched_work(AccessKind kind, const void* memory, std::size_t bytes, void* place) {
    const WatchedWork& work = *watched_work;
    const std::uint32_t number = work.self->number;
    const bool writes = kind != AccessKind::read;
    const bool is_atomic = kind == AccessKind::atomic;
    const Access access{writes, memory, bytes, place};
    const bool may_be_beside_host = last_of_host >= work.self->enqueued;
    if (!is_in_table(memory, bytes)) return;
    table.make(reinterpret_cast<Address>(memory), bytes);
    for_each_word(memory, bytes, [&](Address at, unsigned used) {
        if (may_be_beside_host && is_beside_host(work, access, is_atomic, at, used)) return false;
        Word& word = table.find(at)->words[at % leaf_bytes / 4];
        const auto other_in = [&](const LastAccess& last) -> const WorkOfReport* {
            if (last.work() == 0 || last.work() == number || (last.bytes() & used) == 0) return nullptr;
            return is_atomic && last.is_atomic() ? nullptr : beside(work, last.work());
        };
        const LastAccess write = word.write.load(std::memory_order_relaxed);
        const LastAccess read = word.read.load(std::memory_order_relaxed);
        if (const auto* const writer = other_in(write)) {
            report_other_stream(work, access, *writer, true);
            return false;
        }
        for (const LastAccess& reading : {read, word.read_before.load(std::memory_order_relaxed)})
            if (const auto* const reader = writes ? other_in(reading) : nullptr) {
                report_other_stream(work, access, *reader, false);
                return false;
            }
        const LastAccess& last = writes ? write : read;
        const bool is_same = last.work() == number;
        if (!writes && !is_same) word.read_before.store(read, std::memory_order_relaxed);
        const LastAccess now(number, used | (is_same ? last.bytes() : 0U),
                             is_atomic && (!is_same || last.is_atomic()));
        (writes ? word.write : word.read).store(now, std::memory_order_relaxed);
        return true;
    });
}

std::uint32_t time_of_new_work() { return ++time_now; }

void see_on_host(AccessKind kind, const void* memory, std::size_t bytes, void* place) {
    static thread_local bool is_noting = false;  // make(), or a signal's handler, may copy and so come here
    constexpr Address stack_bytes = Address{256} << 10U;
    const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
    const bool is_variable = reinterpret_cast<Address>(memory) - here + stack_bytes < 2 * stack_bytes;
    if (is_noting || last_pending == 0 || is_variable || is_doing_work() || !is_in_table(memory, bytes))
        return;
    const bool writes = kind != AccessKind::read;
    const bool is_atomic = kind == AccessKind::atomic;
    is_noting = true;
    host_table.make(reinterpret_cast<Address>(memory), bytes);
    is_noting = false;
    const std::uint32_t time = time_now;
    const std::uint32_t distance = distance_of(place);
    for_each_word(memory, bytes, [&](Address at, unsigned used) {
        HostWord& word = host_table.find(at)->words[at % leaf_bytes / 4];
        auto& entry = writes ? word.write : word.read;
        const AccessOfHost last = entry.load(std::memory_order_relaxed);
        const bool is_same = last.time() == time;
        if (is_same && is_atomic && !last.is_atomic()) return true;  // keeps the non-atomic access
        const bool adds = is_same && is_atomic == last.is_atomic();
        entry.store(AccessOfHost(time, distance, used | (adds ? last.bytes() : 0U), is_atomic),
                    std::memory_order_relaxed);
        return true;
    });
    raise_to(last_of_host, time);
    if (is_atomic) raise_to(last_flag, ++time_now);
}

}  // namespace cudabook::emulation

// ----- The copies and fills of the runtime, by the linker's option --wrap (emulator/CMakeLists.txt)

// NOLINTBEGIN(bugprone-reserved-identifier)
using cudabook::emulation::AccessKind;
using cudabook::emulation::is_cuda_thread;
using cudabook::emulation::last_pending;
using cudabook::emulation::see_in_watched_work;
using cudabook::emulation::see_on_host;
using cudabook::emulation::watched_work;

namespace {

/// Notes an access by the runtime or, while work is pending, by the host. accesses.cpp notes a kernel's.
[[gnu::always_inline]] inline void see(AccessKind kind, const void* memory, std::size_t bytes, void* place) {
    if (watched_work == nullptr)
        see_on_host(kind, memory, bytes, place);
    else if (!is_cuda_thread())
        see_in_watched_work(kind, memory, bytes, place);
}

bool is_seen(std::size_t bytes) { return (watched_work != nullptr || last_pending != 0) && bytes > 0; }

}  // namespace

extern "C" {
#define CUDABOOK_WATCHED_COPY(name)                                      \
    void* __real_##name(void* to, const void* from, std::size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, std::size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, std::size_t bytes) { \
        if (is_seen(bytes)) {                                            \
            void* const place = __builtin_return_address(0);             \
            see(AccessKind::read, from, bytes, place);                   \
            see(AccessKind::write, to, bytes, place);                    \
        }                                                                \
        return __real_##name(to, from, bytes);                           \
    }
CUDABOOK_WATCHED_COPY(memcpy)
CUDABOOK_WATCHED_COPY(memmove)
void* __real_memset(void* memory, int value, std::size_t bytes);
void* __wrap_memset(void* memory, int value, std::size_t bytes);
void* __wrap_memset(void* memory, int value, std::size_t bytes) {
    if (is_seen(bytes)) see(AccessKind::write, memory, bytes, __builtin_return_address(0));
    return __real_memset(memory, value, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
