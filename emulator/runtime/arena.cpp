#include "emulator/runtime/arena.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checks/memory_marks.hpp"
#include "emulator/checks/sanitizer.hpp"
#include "emulator/engine/watchdog.hpp"

namespace cudabook::emulation {

namespace {

using Where = BesideArray::Where;

constexpr std::size_t alignment = 512;

/// The most guarded arrays at a time. Each takes two mappings, and Linux allows a process 65530 mappings,
/// some of which the stacks need (fiber.cpp).
constexpr unsigned most_arrays = 8192;

constexpr unsigned most_freed = 64;

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

/// Returns the size of a guard. It is more than a row of most pictures, so that an access in the next row
/// hits the guard, and no power of two: otherwise arrays would compete for the same few sets of the caches.
std::size_t guard_bytes() { return 257 * page_bytes(); }

std::size_t up_to(std::size_t multiple, std::size_t number) {
    return (number + multiple - 1) / multiple * multiple;
}

/// A guarded array, allocated or freed.
struct Slot {
    std::atomic<std::uintptr_t> begin{0};  ///< 0 if the slot is unused
    std::atomic<std::size_t> bytes{0};
    std::atomic<bool> is_freed{false};

    // The pages of the array, without the guards.
    [[nodiscard]] std::uintptr_t first_page() const { return begin / page_bytes() * page_bytes(); }
    [[nodiscard]] std::uintptr_t end_of_pages() const { return up_to(page_bytes(), begin + bytes); }
};

/// All slots. Signal handlers read them, and cannot wait for a mutex.
constinit std::array<Slot, most_arrays> slots{};
constinit std::atomic<unsigned> used_slots{0};  ///< later slots have never been used

/// The rest of the state. The mutex guards it.
struct Arena {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, unsigned> slot_of;  ///< for arrays that are not freed
    std::vector<unsigned> free_slots;
    std::array<unsigned, most_freed> freed{};  ///< the slots of the last freed arrays, as a ring
    std::size_t freed_count = 0;
    std::vector<unsigned char> filling;  ///< fills the rest of an array's pages, outside the array
};

Arena& arena() {
    static auto* const the = [] {  // lasts until the process ends, because static variables may own arrays
        auto* const made = new Arena;
        // Each word is NaN if it is read as float.
        constexpr std::array<unsigned char, 4> word{0xa5, 0xa5, 0xa5, 0xff};
        for (std::size_t i = 0; i < page_bytes(); ++i) made->filling.push_back(word[i % 4]);
        return made;
    }();
    return *the;
}

// NOLINTBEGIN(performance-no-int-to-ptr): addresses of memory that is reserved here
void* pointer(std::uintptr_t address) { return reinterpret_cast<void*>(address); }
// NOLINTEND(performance-no-int-to-ptr)

/// The bytes of an array's page that lie before or behind the array.
struct Gap {
    std::uintptr_t begin;
    std::uintptr_t end;
    [[nodiscard]] unsigned char* bytes() const { return static_cast<unsigned char*>(pointer(begin)); }
    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] const unsigned char* filling() const {
        return arena().filling.data() + begin % page_bytes();
    }
};

std::array<Gap, 2> gaps(const Slot& slot) {
    return {Gap{slot.first_page(), slot.begin}, Gap{slot.begin + slot.bytes, slot.end_of_pages()}};
}

constinit bool host_uses_arrays = false;

/// Returns the protection key of the arrays that the host may not use, or -1 if there is no key. At first,
/// the key allows no access in any thread.
int protection_key() {
    static const int key = [] {
        if (address_sanitizer || thread_sanitizer || host_uses_arrays) return -1;
        const int made = pkey_alloc(0, PKEY_DISABLE_ACCESS);
        if (made < 0) return -1;
        if (pkey_set(made, PKEY_DISABLE_ACCESS) != 0) {
            pkey_free(made);
            return -1;
        }
        catch_faults();
        return made;
    }();
    return key;
}

constinit thread_local bool in_reach_here = false;

void set_reach() {
    if (const int key = protection_key(); key >= 0) pkey_set(key, in_reach_here ? 0 : PKEY_DISABLE_ACCESS);
}

/// Maps an array between two guards and returns its address. Returns 0 if the system refuses the mapping.
std::uintptr_t map_guarded(std::size_t bytes, HostAccess access) {
    const std::size_t aligned = up_to(alignment, bytes);
    const std::size_t pages = up_to(page_bytes(), aligned);
    const std::size_t guard = guard_bytes();
    void* const all = mmap(nullptr, pages + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return 0;
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(all) + guard;
    const int key = access == HostAccess::none ? protection_key() : -1;  // -1: pkey_mprotect() is mprotect()
    if (pkey_mprotect(pointer(first), pages, PROT_READ | PROT_WRITE, key) == 0)
        return first + pages - aligned;
    munmap(all, pages + 2 * guard);
    return 0;
}

void unmap_array(const Slot& slot) {
    const std::size_t guard = guard_bytes();
    munmap(pointer(slot.first_page() - guard), slot.end_of_pages() - slot.first_page() + 2 * guard);
}

/// Returns an unused slot, or most_arrays if there is none. The caller holds the mutex.
unsigned take_slot(Arena& here) {
    if (here.free_slots.empty()) return used_slots == most_arrays ? most_arrays : used_slots++;
    const unsigned slot = here.free_slots.back();
    here.free_slots.pop_back();
    return slot;
}

void* allocate_guarded(std::size_t bytes, HostAccess access) {
    Arena& here = arena();
    const std::lock_guard lock(here.mutex);
    const ArraysInReach in_reach;  // to write to the gaps
    const unsigned number = take_slot(here);
    if (number == most_arrays) return nullptr;
    const std::uintptr_t begin = map_guarded(bytes, access);
    if (begin == 0) {
        here.free_slots.push_back(number);
        return nullptr;
    }
    Slot& slot = slots[number];
    slot.bytes = bytes;
    slot.is_freed = false;
    slot.begin = begin;
    here.slot_of[begin] = number;
    for (const Gap& gap : gaps(slot)) std::memcpy(gap.bytes(), gap.filling(), gap.size());
    return pointer(begin);
}

}  // namespace

ArraysInReach::ArraysInReach(bool are_in_reach) : before_(std::exchange(in_reach_here, are_in_reach)) {
    set_reach();
}
ArraysInReach::~ArraysInReach() {
    in_reach_here = before_;
    set_reach();
}

bool arrays_are_in_reach() { return in_reach_here; }

void* allocate_array(std::size_t bytes, HostAccess access) {
    bytes = std::max<std::size_t>(bytes, 1);
    if (!address_sanitizer && !thread_sanitizer)
        if (void* const guarded = allocate_guarded(bytes, access)) return guarded;
    void* memory = nullptr;  // of exactly `bytes`, so that AddressSanitizer knows the end
    if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
    if (access == HostAccess::none) {
        mark_unwritten(memory, bytes);
        if (!host_uses_arrays) mark_as_of_gpu(memory, bytes);
    }
    return memory;
}

void let_host_use_arrays() { host_uses_arrays = true; }

void share_with_host(void* memory) {
    Arena& here = arena();
    const std::lock_guard lock(here.mutex);
    const auto found = here.slot_of.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == here.slot_of.end() || protection_key() < 0) return;
    const Slot& slot = slots[found->second];
    constexpr int everybodys = 0;
    static_cast<void>(pkey_mprotect(pointer(slot.first_page()), slot.end_of_pages() - slot.first_page(),
                                    PROT_READ | PROT_WRITE, everybodys));
}

void free_array(void* memory) {
    Arena& here = arena();
    const std::lock_guard lock(here.mutex);
    const auto found = here.slot_of.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == here.slot_of.end()) {
        unmark(memory, malloc_usable_size(memory));  // AddressSanitizer itself reports uses of freed memory
        std::free(memory);
        return;
    }
    const unsigned number = found->second;
    here.slot_of.erase(found);
    Slot& slot = slots[number];
    slot.is_freed = true;
    // Gives the memory back to the system, but keeps its addresses reserved.
    static_cast<void>(mmap(pointer(slot.first_page()), slot.end_of_pages() - slot.first_page(), PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    const unsigned oldest = std::exchange(here.freed[here.freed_count++ % most_freed], number);
    if (here.freed_count <= most_freed) return;
    unmap_array(slots[oldest]);
    slots[oldest].begin = 0;
    here.free_slots.push_back(oldest);
}

std::optional<BesideArray> beside_which_array(std::uintptr_t address) {
    const std::size_t guard = guard_bytes();
    for (unsigned i = 0; i < used_slots; ++i) {
        const Slot& slot = slots[i];
        const std::uintptr_t begin = slot.begin;
        if (begin == 0 || address < slot.first_page() - guard || address >= slot.end_of_pages() + guard)
            continue;
        const std::size_t bytes = slot.bytes;
        if (address < begin) return BesideArray{Where::before, begin - address, bytes};
        if (address >= begin + bytes) return BesideArray{Where::behind, address - begin - bytes, bytes};
        return BesideArray{slot.is_freed ? Where::freed : Where::within, address - begin, bytes};
    }
    return std::nullopt;
}

std::optional<BesideArray> find_overwritten() {
    Arena& here = arena();
    const std::lock_guard lock(here.mutex);
    const ArraysInReach in_reach;
    std::optional<BesideArray> first;
    for (const auto& [begin, number] : here.slot_of) {
        for (const Gap& gap : gaps(slots[number])) {
            if (std::memcmp(gap.bytes(), gap.filling(), gap.size()) == 0) continue;
            const auto* const changed =
                std::mismatch(gap.bytes(), gap.bytes() + gap.size(), gap.filling()).first;
            if (!first) first = beside_which_array(reinterpret_cast<std::uintptr_t>(changed));
            std::memcpy(gap.bytes(), gap.filling(), gap.size());
        }
    }
    return first;
}

}  // namespace cudabook::emulation
