#include "emulator/checks/stream_races.hpp"

#if CUDABOOK_THREAD_SANITIZER

#include <execinfo.h>

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

namespace cudabook::emulation {

constinit thread_local const WatchedWork* watched_work = nullptr;

namespace {

/// The last access of a kind to four bytes: the number of the work, which of the bytes it has used, and
/// whether all its accesses were atomic. 0: there was none.
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
};
struct Leaf {
    std::array<Word, leaf_bytes / 4> words;
};
AddressTable<Leaf> table;

/// Returns " at FILE:LINE", where the user's program has enqueued the work.
std::string enqueued_at(const WorkOfReport& work) {
    for (void* const caller : work.called_by)
        if (const auto line = users_line(caller)) return " at " + *line;
    return {};
}

const WorkOfReport* beside(const WatchedWork& work, std::uint32_t number) {
    const auto found = std::ranges::lower_bound(work.beside, number, {}, &WorkOfReport::number);
    return found != work.beside.end() && (*found)->number == number ? found->get() : nullptr;
}

std::string_view verb(bool writes) { return writes ? "writes" : "reads"; }

/// Reports a race, once for each line and other work.
[[gnu::noinline]] void report_race(const WatchedWork& work, const WorkOfReport& other, bool writes,
                                   bool other_writes, const void* memory, std::size_t bytes, void* place) {
    static std::mutex mutex;
    static std::set<std::string> known;
    const Ignored ignored;                                          // the report allocates memory
    if (memory_type(memory) == cudaMemoryTypeUnregistered) return;  // a kernel's heap, the host's
    const auto line = users_line(place);
    const std::string what = fmt::format("{} {} bytes{}", verb(writes), bytes, line ? ", at " + *line : "");
    const std::string why = fmt::format(
        ": {}{} {} them in another stream, and neither waits for the other (cudaStreamWaitEvent() "
        "lets a stream wait)",
        other.name, enqueued_at(other), verb(other_writes));
    const std::lock_guard lock(mutex);
    if (!known.insert((line ? *line : what) + why).second) return;
    const std::string thread = running_thread();
    print_line(fmt::format("race between streams in {}: {}{}",
                           thread.empty() ? work.self->name + enqueued_at(*work.self) : thread, what, why));
    fail_at_end();
}

}  // namespace

std::vector<void*> callers_here() {
    std::array<void*, 24> callers{};
    const int depth = backtrace(callers.data(), static_cast<int>(callers.size()));
    return std::vector<void*>(callers.begin(), callers.begin() + depth);
}

void see_in_watched_work(AccessKind kind, const void* memory, std::size_t bytes, void* place) {
    const WatchedWork& work = *watched_work;
    const std::uint32_t number = work.self->number;
    const bool writes = kind != AccessKind::read;
    const bool is_atomic = kind == AccessKind::atomic;
    const auto begin = reinterpret_cast<Address>(memory);
    const Address end = begin + bytes;
    if (end > std::uint64_t{1} << 47U) return;
    table.make(begin, bytes);
    for (Address at = begin / 4 * 4; at < end; at += 4) {
        unsigned used = 15U;
        if (at < begin) used &= 15U << (begin - at);
        if (at + 4 > end) used &= 15U >> (at + 4 - end);
        Word& word = table.find(at)->words[at % leaf_bytes / 4];
        const auto other_in = [&](const LastAccess& last) -> const WorkOfReport* {
            if (last.work() == 0 || last.work() == number || (last.bytes() & used) == 0) return nullptr;
            return is_atomic && last.is_atomic() ? nullptr : beside(work, last.work());
        };
        const LastAccess write = word.write.load(std::memory_order_relaxed);
        const LastAccess read = word.read.load(std::memory_order_relaxed);
        if (const auto* const other = other_in(write))
            return report_race(work, *other, writes, true, memory, bytes, place);
        if (writes)
            if (const auto* const other = other_in(read))
                return report_race(work, *other, true, false, memory, bytes, place);
        const LastAccess& last = writes ? write : read;
        const bool is_same = last.work() == number;
        const LastAccess now(number, used | (is_same ? last.bytes() : 0U),
                             is_atomic && (!is_same || last.is_atomic()));
        (writes ? word.write : word.read).store(now, std::memory_order_relaxed);
    }
}

}  // namespace cudabook::emulation

// ----- The copies and fills of the runtime, by the linker's option --wrap (emulator/CMakeLists.txt)

// NOLINTBEGIN(bugprone-reserved-identifier)
using cudabook::emulation::AccessKind;
using cudabook::emulation::is_cuda_thread;
using cudabook::emulation::see_in_watched_work;
using cudabook::emulation::watched_work;

extern "C" {
#define CUDABOOK_WATCHED_COPY(name)                                      \
    void* __real_##name(void* to, const void* from, std::size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, std::size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, std::size_t bytes) { \
        if (watched_work != nullptr && bytes > 0 && !is_cuda_thread()) { \
            void* const place = __builtin_return_address(0);             \
            see_in_watched_work(AccessKind::read, from, bytes, place);   \
            see_in_watched_work(AccessKind::write, to, bytes, place);    \
        }                                                                \
        return __real_##name(to, from, bytes);                           \
    }
CUDABOOK_WATCHED_COPY(memcpy)
CUDABOOK_WATCHED_COPY(memmove)
void* __real_memset(void* memory, int value, std::size_t bytes);
void* __wrap_memset(void* memory, int value, std::size_t bytes);
void* __wrap_memset(void* memory, int value, std::size_t bytes) {
    if (watched_work != nullptr && bytes > 0 && !is_cuda_thread())
        see_in_watched_work(AccessKind::write, memory, bytes, __builtin_return_address(0));
    return __real_memset(memory, value, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
