#include "emulator/checks/accesses.hpp"

#if CUDABOOK_THREAD_SANITIZER

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "emulator/checks/fail_at_end.hpp"
#include "emulator/checks/identity.hpp"
#include "emulator/checks/source_line.hpp"
#include "emulator/checks/stream_races.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/multiprocessor.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/kernel_heap.hpp"

namespace cudabook::emulation {

constinit thread_local Accesses accesses;

namespace {

bool is_written(const Accesses& owner, std::size_t offset, std::size_t bytes) {
    const unsigned char* const begin = owner.written + offset;
    return std::all_of(begin, begin + bytes, [](unsigned char is) { return is != 0; });
}

std::atomic<bool> has_failed_otherwise = false;

/// Reports a read of unwritten memory, once for each line of the code. The kernel goes on, because a race may
/// follow.
[[gnu::noinline]] void check_written(const Accesses& owner, std::size_t offset, std::size_t bytes,
                                     void* place) {
    static std::mutex mutex;
    static std::set<void*> known;
    static std::set<std::string> known_lines;
    if (is_written(owner, offset, bytes)) return;
    const HeapOfHost heap_of_host;
    const std::lock_guard lock(mutex);
    const Ignored ignored;
    fail_at_end();
    if (!known.insert(place).second) return;
    const std::string line = users_line(place).value_or("an unknown line");
    if (!known_lines.insert(line).second) return;
    print_line(
        fmt::format("error in {}: reads {} bytes of {}shared memory that no thread of this {} has "
                    "written, at {}{}",
                    running_thread(), bytes, &owner == &accesses ? "" : "another block's ",
                    owner.is_of_cluster ? "cluster" : "block", line,
                    has_copies_to_await() ? fmt::format(": {}", copies_to_await) : ""));
}

[[gnu::always_inline]] inline void note_written(unsigned char* written, std::size_t bytes) {
    if (__builtin_constant_p(bytes)) {
        std::memset(written, 1, bytes);
        return;
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        written[i] = 1;
        asm volatile("" ::: "memory");  // prevents std::memset, which ThreadSanitizer sees
    }
}

/// Returns whether some word may be unwritten: its first byte has the value with which
/// begin_shared_memory() fills the memory.
[[gnu::always_inline]] inline bool has_byte_of_none(const void* memory, std::size_t bytes) {
    const auto* const begin = static_cast<const unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; i += 4)
        if (begin[i] == 0xff) return true;
    return false;
}

using Kind = AccessKind;

/// Checks and notes an access to shared memory.
template <Kind kind>
[[gnu::always_inline]] inline void see_shared(Accesses& owner, std::size_t offset, const void* memory,
                                              std::size_t bytes, void* place) {
    const std::size_t end = std::min(offset + bytes, owner.shared_bytes);
    if (kind == Kind::write)
        note_written(owner.written + offset, __builtin_constant_p(bytes) ? bytes : end - offset);
    else if (has_byte_of_none(memory, end - offset))
        check_written(owner, offset, end - offset, place);
}

/// Calls see_shared() and returns true if the memory is shared memory of a block of the cluster.
template <Kind kind>
[[gnu::noinline]] bool see_in_cluster(const void* memory, std::size_t bytes, void* place) {
    std::size_t offset = 0;
    Accesses* const owner = owner_of(reinterpret_cast<std::uintptr_t>(memory), offset);
    if (owner != nullptr) see_shared<kind>(*owner, offset, memory, bytes, place);
    return owner != nullptr;
}

/// Checks and notes an access. `in_work` is the kind that the search for races between streams notes. Returns
/// true if ThreadSanitizer must be told of the access.
template <Kind kind, Kind in_work = kind>
[[gnu::always_inline]] inline bool see(const void* memory, std::size_t bytes, void* place) {
    Accesses& here = accesses;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    if (const std::size_t offset = address - here.shared; offset < here.shared_bytes) {
        see_shared<kind>(here, offset, memory, bytes, place);
        here.touched_begin = std::min(here.touched_begin, offset);
        here.touched_end = std::max(here.touched_end, std::min(offset + bytes, here.shared_bytes));
        tell_held_read();
        if (here.is_of_cluster && here.order_first) order_this_thread();
        return true;
    }
    if (address - here.stack < here.stack_bytes) return false;
    tell_held_read();
    const bool is_in_cluster = here.is_of_cluster && see_in_cluster<kind>(memory, bytes, place);
    if (watched_work != nullptr) {
        if (!is_in_cluster) see_in_watched_work(in_work, memory, bytes, place);
    } else if (here.stack_bytes == 0 && last_pending.load(std::memory_order_relaxed) != 0) {
        see_on_host(in_work, memory, bytes, place);
    }
    if (here.order_first) order_this_thread();
    return true;
}

[[gnu::always_inline]] inline void hold_read(const void* memory, std::size_t bytes, void* place) {
    accesses.held = memory;
    accesses.held_bytes = bytes;
    accesses.held_place = place;
}

}  // namespace

}  // namespace cudabook::emulation

// ----- The functions that instrumented code calls, in place of libtsan's functions of the same names

// NOLINTBEGIN(bugprone-reserved-identifier)
using cudabook::emulation::hold_read;
using cudabook::emulation::Kind;
using cudabook::emulation::see;

extern "C" {
// name: the end of libtsan's name, without the size; in_work: the kind for races of streams and of the host
#define CUDABOOK_SEEN(name, kind, in_work, size)                                                          \
    void __tsan_##kind##size##_pc(void* memory, void* place);                                             \
    void __tsan_##name##size(void* memory);                                                               \
    void __tsan_##name##size(void* memory) {                                                              \
        void* const place = __builtin_return_address(0);                                                  \
        if (see<Kind::kind, Kind::in_work>(memory, size, place)) __tsan_##kind##size##_pc(memory, place); \
    }
#define CUDABOOK_SEEN_WORD(name, in_work, size)                                                  \
    void __tsan_read##size##_pc(void* memory, void* place);                                      \
    void __tsan_##name##size(void* memory);                                                      \
    void __tsan_##name##size(void* memory) {                                                     \
        void* const place = __builtin_return_address(0);                                         \
        if (see<Kind::read, Kind::in_work>(memory, size, place)) hold_read(memory, size, place); \
    }
#define CUDABOOK_SEEN_UNALIGNED(kind, size)                                                      \
    void __tsan_unaligned_##kind##size(void* memory);                                            \
    void __tsan_unaligned_##kind##size(void* memory) {                                           \
        void* const place = __builtin_return_address(0);                                         \
        if (see<Kind::kind>(memory, size, place)) __tsan_##kind##_range_pc(memory, size, place); \
    }
#define CUDABOOK_SEEN_RANGE(kind)                                                  \
    void __tsan_##kind##_range_pc(void* memory, unsigned long bytes, void* place); \
    void __tsan_##kind##_range(void* memory, unsigned long bytes);                 \
    void __tsan_##kind##_range(void* memory, unsigned long bytes) {                \
        void* const place = __builtin_return_address(0);                           \
        if (bytes > 0 && see<Kind::kind>(memory, bytes, place))                    \
            __tsan_##kind##_range_pc(memory, bytes, place);                        \
    }
CUDABOOK_SEEN(read, read, read, 1)
CUDABOOK_SEEN(read, read, read, 2)
CUDABOOK_SEEN_WORD(read, read, 4)
CUDABOOK_SEEN_WORD(read, read, 8)
CUDABOOK_SEEN(read, read, read, 16)
CUDABOOK_SEEN(write, write, write, 1)
CUDABOOK_SEEN(write, write, write, 2)
CUDABOOK_SEEN(write, write, write, 4)
CUDABOOK_SEEN(write, write, write, 8)
CUDABOOK_SEEN(write, write, write, 16)
// A volatile access may be to a flag by which streams and the host wait for each other.
CUDABOOK_SEEN(volatile_read, read, atomic, 1)
CUDABOOK_SEEN(volatile_read, read, atomic, 2)
CUDABOOK_SEEN_WORD(volatile_read, atomic, 4)
CUDABOOK_SEEN_WORD(volatile_read, atomic, 8)
CUDABOOK_SEEN(volatile_read, read, atomic, 16)
CUDABOOK_SEEN(volatile_write, write, atomic, 1)
CUDABOOK_SEEN(volatile_write, write, atomic, 2)
CUDABOOK_SEEN(volatile_write, write, atomic, 4)
CUDABOOK_SEEN(volatile_write, write, atomic, 8)
CUDABOOK_SEEN(volatile_write, write, atomic, 16)
CUDABOOK_SEEN_RANGE(read)
CUDABOOK_SEEN_RANGE(write)
CUDABOOK_SEEN_UNALIGNED(read, 2)
CUDABOOK_SEEN_UNALIGNED(read, 4)
CUDABOOK_SEEN_UNALIGNED(read, 8)
CUDABOOK_SEEN_UNALIGNED(read, 16)
CUDABOOK_SEEN_UNALIGNED(write, 2)
CUDABOOK_SEEN_UNALIGNED(write, 4)
CUDABOOK_SEEN_UNALIGNED(write, 8)
CUDABOOK_SEEN_UNALIGNED(write, 16)
}

namespace cudabook::emulation {

void fail_at_end() { has_failed_otherwise = true; }

void tell_held_read() {
    if (accesses.held == nullptr) return;
    void* const memory = const_cast<void*>(std::exchange(accesses.held, nullptr));
    if (accesses.held_bytes == 4)
        __tsan_read4_pc(memory, accesses.held_place);
    else
        __tsan_read8_pc(memory, accesses.held_place);
}

namespace {

/// The places of reads after which the thread called atomicCAS on the same word.
struct PlacesBeforeCas {
    std::mutex mutex;
    std::set<const void*> all;
};
PlacesBeforeCas& places_before_cas() {
    static auto* const the = new PlacesBeforeCas;  // lasts until the process ends
    return *the;
}

}  // namespace

void drop_held_read(const void* memory, std::size_t bytes) {
    if (accesses.held != memory || accesses.held_bytes != bytes) return;
    accesses.held = nullptr;
    static thread_local const void* last = nullptr;
    if (std::exchange(last, accesses.held_place) == accesses.held_place) return;
    const Ignored ignored;
    const std::lock_guard lock(places_before_cas().mutex);
    places_before_cas().all.insert(accesses.held_place);
}

bool is_read_before_cas(const void* place) {
    const std::lock_guard lock(places_before_cas().mutex);
    return places_before_cas().all.contains(place);
}

void see_read(const void* memory, std::size_t bytes) {
    void* const place = __builtin_return_address(0);
    if (bytes > 0 && see<Kind::read>(memory, bytes, place))
        __tsan_read_range_pc(const_cast<void*>(memory), bytes, place);
}

void see_atomic(const void* memory, std::size_t bytes, bool reads) {
    void* const place = __builtin_return_address(0);
    note_atomic(memory);
    if (reads) see<Kind::read, Kind::atomic>(memory, bytes, place);
    see<Kind::write, Kind::atomic>(memory, bytes, place);
}

void see_write(const void* memory, std::size_t bytes) {
    void* const place = __builtin_return_address(0);
    if (bytes > 0 && see<Kind::write>(memory, bytes, place))
        __tsan_write_range_pc(const_cast<void*>(memory), bytes, place);
}

namespace {

/// The words that blocks have changed by operations that are atomic only in their block, and the block that
/// was the first to change each word.
struct AtomicsInBlocks {
    std::mutex mutex;
    std::map<const void*, uint3> blocks;
    std::set<const void*> reported;  ///< places in the code
};
AtomicsInBlocks& atomics_in_blocks() {
    static auto* const the = new AtomicsInBlocks;  // lasts until the process ends
    return *the;
}

}  // namespace

void see_atomic_in_block(const void* memory) {
    void* const place = __builtin_return_address(0);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    std::size_t offset = 0;
    if (address - accesses.shared < accesses.shared_bytes ||
        address - accesses.stack < accesses.stack_bytes ||
        (accesses.is_of_cluster && owner_of(address, offset) != nullptr))
        return;
    const HeapOfHost heap_of_host;
    const Ignored ignored;
    const std::lock_guard lock(atomics_in_blocks().mutex);
    const uint3 here = block_index;
    const uint3 first = atomics_in_blocks().blocks.emplace(memory, here).first->second;
    if (first.x == here.x && first.y == here.y && first.z == here.z) return;
    fail_at_end();
    if (!atomics_in_blocks().reported.insert(place).second) return;
    print_line(
        fmt::format("data race in {}: block ({}, {}, {}) changes a word by an operation that is atomic "
                    "only in one block; before it block ({}, {}, {}) did so, at {}",
                    running_kernel(), here.x, here.y, here.z, first.x, first.y, first.z,
                    users_line(place).value_or("an unknown line")));
}

void forget_atomics_in_blocks() {
    const std::lock_guard lock(atomics_in_blocks().mutex);
    atomics_in_blocks().blocks.clear();
}

namespace {
[[gnu::noinline]] void block_ends() { asm volatile("nop\n\tnop"); }
}  // namespace

void see_end(const void* memory, std::size_t bytes) {
    if (bytes > 0)
        __tsan_write_range_pc(const_cast<void*>(memory), bytes,
                              reinterpret_cast<char*>(block_ends) + 1);  // like a return address
}

bool is_end(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(block_ends) <= 1;
}

}  // namespace cudabook::emulation

namespace __tsan {
bool OnFinalize(bool has_failed);
/// ThreadSanitizer calls this at exit. Returns true if the exit status is to be 66, not the program's own.
bool OnFinalize(bool has_failed) { return has_failed || cudabook::emulation::has_failed_otherwise; }
}  // namespace __tsan
// NOLINTEND(bugprone-reserved-identifier)

#endif
