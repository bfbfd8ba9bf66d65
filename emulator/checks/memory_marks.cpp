#include "emulator/checks/memory_marks.hpp"

#if CUDABOOK_MEMORY_MARKS

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>

#include "emulator/checks/address_table.hpp"
#include "emulator/checks/fail_at_end.hpp"
#include "emulator/checks/source_line.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/multiprocessor.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/engine/shared_memory.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/arena.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/kernel_heap.hpp"

extern "C" {
extern void* __libc_stack_end;         // glibc's: where the stack of the main thread begins
extern const char __executable_start;  // the linker's: the program's own code and variables
extern const char __bss_start;         // the linker's: variables without a value, and then the end
extern const char _end;
// AddressSanitizer exports this without declaring it in a header that g++ has.
int __sanitizer_install_malloc_and_free_hooks(void (*after_malloc)(const volatile void*, std::size_t),
                                              void (*before_free)(const volatile void*));
void* __real_memset(void* memory, int value, std::size_t bytes);  // the linker's name for memset()
}

// NOLINTBEGIN(performance-no-int-to-ptr): addresses of accesses
namespace cudabook::emulation {

namespace {

using Word = std::atomic<std::uint64_t>;
constexpr unsigned word_bits = 64;

constexpr unsigned char fill = 0xff;

// ----- The marks: a bit for each byte

using Marks = std::array<Word, leaf_bytes / word_bits>;
struct Leaf {
    Marks unwritten;
    Marks of_gpu;
};
AddressTable<Leaf> table;

[[gnu::always_inline]] inline Leaf* leaf_of(Address address) { return table.find(address); }

constexpr std::uint64_t low_bits(unsigned count) { return ~std::uint64_t{0} >> (word_bits - count); }

/// The part of a range of bytes that has its marks in one word.
struct Part {
    std::size_t offset;  ///< of the part's first byte in the range
    Leaf* leaf;          ///< null if no byte has a mark
    std::size_t word;
    unsigned first_bit;
    std::uint64_t bits;
};

/// Calls work(part) for the parts of a range in order, until a call returns false. Where there is no leaf,
/// one part contains all bytes up to where the next leaf begins.
template <class Work>
void for_each_part(Address begin, std::size_t bytes, Work work) {
    for (std::size_t offset = 0; offset < bytes;) {
        const Address address = begin + offset;
        Leaf* const leaf = leaf_of(address);
        const auto first = static_cast<unsigned>(address % word_bits);
        const auto count = static_cast<unsigned>(std::min<std::size_t>(bytes - offset, word_bits - first));
        if (!work(Part{offset, leaf, address % leaf_bytes / word_bits, first, low_bits(count) << first}))
            return;
        offset += leaf == nullptr ? leaf_bytes - address % leaf_bytes : count;
    }
}

template <Marks Leaf::*marks>
void set(Address begin, std::size_t bytes) {
    table.make(begin, bytes);
    for_each_part(begin, bytes, [](const Part& part) {
        (part.leaf->*marks)[part.word].fetch_or(part.bits, std::memory_order_relaxed);
        return true;
    });
}

template <Marks Leaf::*marks>
void clear(Address begin, std::size_t bytes) {
    for_each_part(begin, bytes, [](const Part& part) {
        if (part.leaf == nullptr) return true;
        Word& word = (part.leaf->*marks)[part.word];
        if ((word.load(std::memory_order_relaxed) & part.bits) != 0)
            word.fetch_and(~part.bits, std::memory_order_relaxed);
        return true;
    });
}

template <Marks Leaf::*marks>
bool has_any(Address begin, std::size_t bytes) {
    bool found = false;
    for_each_part(begin, bytes, [&](const Part& part) {
        found = part.leaf != nullptr &&
                ((part.leaf->*marks)[part.word].load(std::memory_order_relaxed) & part.bits) != 0;
        return !found;
    });
    return found;
}

bool is_wholly_unwritten(Address begin, std::size_t bytes) {
    bool is = true;
    for_each_part(begin, bytes, [&](const Part& part) {
        is = part.leaf != nullptr &&
             (~part.leaf->unwritten[part.word].load(std::memory_order_relaxed) & part.bits) == 0;
        return is;
    });
    return is;
}

/// Returns whether the byte has one of the marks.
[[gnu::always_inline]] inline bool is_marked(const Leaf& leaf, Address address) {
    const std::size_t word = address % leaf_bytes / word_bits;
    const std::uint64_t both = leaf.unwritten[word].load(std::memory_order_relaxed) |
                               leaf.of_gpu[word].load(std::memory_order_relaxed);
    return (both >> address % word_bits & 1U) != 0;
}

struct Range {
    Address begin;
    std::size_t bytes;
};

// ----- The program's variables that the checks know by name

/// emulator/translator/ gives __constant__ variables this tag, which becomes a part of the symbol's name.
constexpr std::string_view constant_tag = "cudabook_constant";
constexpr std::string_view begin_of_virtual_table = "_ZTV";

/// Variables of the program with one property, in order of address.
class NamedVariables {
  public:
    template <class Has>
    explicit NamedVariables(Has has) {
        for (const ProgramVariable& variable : program_variables())
            if (has(variable.name)) all_.push_back(variable);
        if (!all_.empty()) reach_ = {all_[0].begin, all_.back().begin + all_.back().bytes - all_[0].begin};
    }

    /// Returns the variable that contains the address, or null.
    [[nodiscard]] const ProgramVariable* at(Address address) const {
        if (address - reach_.begin >= reach_.bytes) return nullptr;
        const auto behind = std::ranges::upper_bound(all_, address, {}, &ProgramVariable::begin);
        const ProgramVariable& last = *std::prev(behind);
        return address - last.begin < last.bytes ? &last : nullptr;
    }
    [[nodiscard]] const std::vector<ProgramVariable>& all() const { return all_; }

  private:
    std::vector<ProgramVariable> all_;
    Range reach_{};  ///< from the first variable to the end of the last
};

const NamedVariables& constants() {
    static const auto* const found = new NamedVariables(  // lasts until the process ends
        [](std::string_view name) { return name.find(constant_tag) != std::string_view::npos; });
    return *found;
}

const NamedVariables& virtual_tables() {
    static const auto* const found =
        new NamedVariables([](std::string_view name) { return name.starts_with(begin_of_virtual_table); });
    return *found;
}

/// Before main(): constants without a value in the source are unwritten. (They are 0, as on a GPU.)
[[gnu::constructor]] void mark_constants() {
    for (const ProgramVariable& constant : constants().all())
        if (constant.begin >= reinterpret_cast<Address>(&__bss_start))
            set<&Leaf::unwritten>(constant.begin, constant.bytes);
}

// ----- Reports

/// A function's frame on the stack, as -fno-omit-frame-pointer makes it.
struct Frame {
    const Frame* caller;
    void* place;  ///< the return address, in the caller
};

/// Returns ", at FILE:LINE", of the innermost call in the user's own source; empty if there is none.
std::string at_line(const Frame* frame) {
    for (int i = 0; i < 64; ++i) {
        if (auto line = users_line(frame->place)) return ", at " + *line;
        // Code of libraries may be compiled without frames; then `caller` may be any number.
        constexpr Address most_bytes = Address{1} << 20U;
        if (reinterpret_cast<Address>(frame->caller) - reinterpret_cast<Address>(frame) - 1 >= most_bytes)
            break;
        frame = frame->caller;
    }
    return {};
}

[[noreturn]] void end_process(const std::string& what, const Frame* frame, std::string_view advice = {}) {
    const std::string thread = running_thread();
    print_line(fmt::format("error in {}: {}{}{}{}", thread.empty() ? "the host's code" : thread, what,
                           at_line(frame), advice.empty() ? "" : ": ", advice));
    print_kept_error();  // it may be why
    std::_Exit(1);
}

/// Returns "20 bytes into an array of 256 bytes (allocated at FILE:LINE)". `at_line` is " at FILE:LINE", or
/// empty.
std::string text_of_place(std::size_t offset, std::size_t bytes, const std::string& at_line) {
    return fmt::format("{} bytes into an array of {} bytes{}", offset, bytes,
                       at_line.empty() ? "" : fmt::format(" (allocated{})", at_line));
}

/// Returns text_of_place() for memory of a GPU; empty for other memory.
std::string place_in_array(Address address) {
    const auto* const memory = reinterpret_cast<const void*>(address);
    const auto place = place_on_gpu(memory);
    if (!place) return {};
    const std::size_t offset = address - reinterpret_cast<Address>(place->begin);
    return text_of_place(offset, offset + bytes_left_at(memory), allocated_at(memory));
}

[[noreturn]] void refuse_use_by_host(Address address, const Frame* frame) {
    const HeapOfHost heap_of_host;
    end_process(fmt::format("the host uses memory of a GPU, {}", place_in_array(address)), frame,
                "cudaMemcpy() copies it, and cudaMallocManaged() gives memory for both");
}

[[noreturn]] void refuse_read(Address address, std::size_t bytes, const Frame* frame) {
    const HeapOfHost heap_of_host;
    std::string what = fmt::format("reads {} bytes ", bytes);
    if (const ProgramVariable* const constant = constants().at(address); constant != nullptr)
        what += fmt::format(
            "of the __constant__ variable {} that nobody has written, {} bytes into its {}: "
            "they are 0",
            variable_name(constant->name), address - constant->begin, constant->bytes);
    else if (!is_cuda_thread())
        what += "that were copied from a GPU, where nobody had written them";
    else if (is_in_shared_memory(reinterpret_cast<const void*>(address)))
        what += "of shared memory that no thread of this block has written";
    else if (const std::string place = place_in_array(address); !place.empty())
        what += fmt::format("that nobody has written, {}", place);
    else
        what += "that nobody has written";
    end_process(what, frame, has_copies_to_await() ? copies_to_await : "");
}

[[noreturn]] void refuse_write_of_constant(const ProgramVariable& constant, std::size_t bytes,
                                           const Frame* frame) {
    const HeapOfHost heap_of_host;
    end_process(
        fmt::format("writes {} bytes of the __constant__ variable {}", bytes, variable_name(constant.name)),
        frame, "kernels can only read it, and the host sets it by cudaMemcpyToSymbol()");
}

std::atomic<bool> has_failed = false;

/// Runs after all destructors, also after functions with this attribute. Reports leaks first.
[[gnu::destructor(101)]] void end_with_status() {
    if (!has_failed) return;
    __lsan_do_leak_check();
    std::fflush(nullptr);
    std::_Exit(1);
}

/// What AddressSanitizer knows of memory.
struct Located {
    std::string_view kind;
    Range range{};
};
Located locate(Address address) {
    std::array<char, 1> name{};
    void* begin = nullptr;
    Located located;
    located.kind = __asan_locate_address(reinterpret_cast<void*>(address), name.data(), name.size(), &begin,
                                         &located.range.bytes);
    located.range.begin = reinterpret_cast<Address>(begin);
    return located;
}

// ----- Arrays with marks on the stack of the main thread. When the array's function has returned, other
// variables take the array's place, and the marks must go.

constinit std::atomic<Address> lowest_on_stack{UINTPTR_MAX};

bool is_on_main_stack(Address address) {
    constexpr Address most_bytes = Address{64} << 20U;
    return reinterpret_cast<Address>(__libc_stack_end) - address < most_bytes;
}

/// Removes the marks of the frames below this frame: their functions have returned.
[[gnu::noinline]] void unmark_ended_frames(const Frame* frame) {
    const Address lowest = lowest_on_stack.exchange(UINTPTR_MAX);
    const auto end = reinterpret_cast<Address>(frame);
    clear<&Leaf::unwritten>(lowest, end - std::min(end, lowest));
}

/// Returns whether the memory's marks will be removed when the memory gets another user.
bool can_mark(Address address) {
    if (const Leaf* const leaf = leaf_of(address); leaf != nullptr && is_marked(*leaf, address)) return true;
    if (is_on_main_stack(address)) {
        if (address < lowest_on_stack) lowest_on_stack = address;
        return true;
    }
    const std::string_view kind = locate(address).kind;
    return kind == "heap" || kind == "global";
}

// ----- Accesses

/// Returns whether the bytes still are as mark_unwritten() has filled them, or 0 if they are a constant's.
bool is_as_filled(Address address, std::size_t bytes) {
    const unsigned char filled = constants().at(address) == nullptr ? fill : 0;
    const auto* const memory = reinterpret_cast<const unsigned char*>(address);
    return std::all_of(memory, memory + bytes, [filled](unsigned char byte) { return byte == filled; });
}

[[gnu::noinline]] void see_marked_read(Address address, std::size_t bytes, const Frame* frame) {
    if (!arrays_are_in_reach() && has_any<&Leaf::of_gpu>(address, bytes)) refuse_use_by_host(address, frame);
    if (!is_wholly_unwritten(address, bytes)) return;
    if (is_as_filled(address, bytes)) refuse_read(address, bytes, frame);
    clear<&Leaf::unwritten>(address, bytes);
}

[[gnu::noinline]] void see_marked_write(Address address, std::size_t bytes, const Frame* frame) {
    if (!arrays_are_in_reach() && has_any<&Leaf::of_gpu>(address, bytes)) refuse_use_by_host(address, frame);
    clear<&Leaf::unwritten>(address, bytes);
}

// ----- Kernels that use memory of the host

/// A cache of the results that this operating system's thread has found last.
struct Known {
    std::array<Range, 16> ranges{};  ///< memory that kernels may use
    std::size_t next_range = 0;

    struct Place {
        const void* behind;  ///< the address behind an access
        bool is_users;
    };
    std::array<Place, 1024> places{};

    [[nodiscard]] bool has(Address address) const {
        return std::ranges::any_of(ranges,
                                   [&](const Range& range) { return address - range.begin < range.bytes; });
    }
    void add(const Range& range) {
        if (range.bytes > 0) ranges[next_range++ % ranges.size()] = range;
    }

    bool is_users(void* behind) {
        const auto address = reinterpret_cast<Address>(behind);
        Place& place = places[(address ^ address >> 10U) % places.size()];
        if (place.behind != behind) place = {behind, is_users_access(behind)};
        return place.is_users;
    }
};
thread_local Known known;

[[noreturn]] void refuse_memory_of_host(Address address, std::size_t bytes, bool writes, const Located& at,
                                        const Frame* frame) {
    std::array<void*, 32> places{};
    int thread = 0;
    const std::size_t depth =
        __asan_get_alloc_stack(reinterpret_cast<void*>(address), places.data(), places.size(), &thread);
    const std::string place = at.kind == "heap"
                                  ? text_of_place(address - at.range.begin, at.range.bytes,
                                                  Callers(std::span(places).first(depth)).at_line())
                                  : "a variable of a function";
    end_process(
        fmt::format("{} {} bytes of memory of the host, {}", writes ? "writes" : "reads", bytes, place),
        frame,
        "a GPU does not have it. A structure that a kernel is given, or that cudaMemcpy() copies, "
        "needs pointers to memory of a GPU");
}

[[noreturn]] void refuse_variable_of_thread(const std::string& thread, std::size_t bytes, bool writes,
                                            const Frame* frame) {
    const HeapOfHost heap_of_host;
    end_process(
        fmt::format("{} {} bytes of a local variable of {}", writes ? "writes" : "reads", bytes, thread),
        frame, "on a GPU, local variables are their thread's alone. Shared memory is for a block");
}

/// Refuses an access of the program to memory of the host or to another thread's local variables.
void check_unmarked(Address address, std::size_t bytes, bool writes, const Frame* frame) {
    const HeapOfHost heap_of_host;
    auto* const memory = reinterpret_cast<void*>(address);
    if (!known.is_users(frame->place)) return;                        // the engine's; it may hold a mutex
    if (__asan_region_is_poisoned(memory, bytes) != nullptr) return;  // AddressSanitizer reports this
    if (const auto thread = thread_with_on_stack(memory))
        refuse_variable_of_thread(*thread, bytes, writes, frame);
    const Located at = locate(address);
    if (memory_type(memory) != cudaMemoryTypeUnregistered || is_in_kernel_heap(memory) || at.kind == "global")
        known.add(at.range);
    else if (at.kind == "heap" || is_on_main_stack(address))
        refuse_memory_of_host(address, bytes, writes, at, frame);
}

/// An access by a kernel to memory that has no mark.
[[gnu::noinline]] void see_unmarked(Address address, std::size_t bytes, bool writes, const Frame* frame) {
    static thread_local bool is_here = false;  // the called functions may copy, and so come here again
    const auto* const memory = reinterpret_cast<const void*>(address);
    if (is_here || known.has(address) || address_space_of(memory) != AddressSpace::global) return;
    is_here = true;
    check_unmarked(address, bytes, writes, frame);
    is_here = false;
}

/// Returns whether the address is in a variable of a running function of this thread, or of the program. May
/// return false for a variable of this thread that is far from the frame.
[[gnu::always_inline]] inline bool is_variable(Address address, const Frame* frame) {
    // The variables of another stack are further away: they are at the end of its 256 KB (fiber.cpp).
    constexpr Address stack_bytes = Address{128} << 10U;
    const auto here = reinterpret_cast<Address>(frame);
    const auto begin = reinterpret_cast<Address>(&__executable_start);
    return address - here < stack_bytes || address - begin < reinterpret_cast<Address>(&_end) - begin;
}

[[gnu::always_inline]] inline void see_in_kernel(Address address, std::size_t bytes, bool writes,
                                                 const Frame* frame) {
    if (!is_cuda_thread()) return;
    if (!is_variable(address, frame))
        see_unmarked(address, bytes, writes, frame);
    else if (writes)
        if (const ProgramVariable* const constant = constants().at(address); constant != nullptr)
            refuse_write_of_constant(*constant, bytes, frame);
}

[[gnu::always_inline]] inline void see_frame(const Frame* frame) {
    if (reinterpret_cast<Address>(frame) > lowest_on_stack.load(std::memory_order_relaxed)) [[unlikely]]
        unmark_ended_frames(frame);
}

[[gnu::always_inline]] inline void see_read(Address address, std::size_t bytes, const Frame* frame) {
    see_frame(frame);
    const Leaf* const leaf = leaf_of(address);
    if (leaf != nullptr && bytes > 0 && is_marked(*leaf, address))
        see_marked_read(address, bytes, frame);
    else
        see_in_kernel(address, bytes, false, frame);
}

[[gnu::always_inline]] inline void see_write(Address address, std::size_t bytes, const Frame* frame) {
    see_frame(frame);
    const Leaf* const leaf = leaf_of(address);
    if (leaf != nullptr && bytes > 0) see_marked_write(address, bytes, frame);
    if (leaf == nullptr || !is_marked(*leaf, address)) see_in_kernel(address, bytes, true, frame);
}

// ----- Copies

/// Returns a bit for each of the bytes, at most 64: bit i is 1 if byte i is marked as unwritten.
std::uint64_t unwritten_at(Address begin, std::size_t bytes) {
    std::uint64_t marks = 0;
    for_each_part(begin, bytes, [&](const Part& part) {
        if (part.leaf != nullptr)
            marks |= (part.leaf->unwritten[part.word].load(std::memory_order_relaxed) & part.bits) >>
                     part.first_bit << part.offset;
        return true;
    });
    return marks;
}

void set_unwritten_at(Address begin, std::size_t bytes, std::uint64_t marks) {
    for_each_part(begin, bytes, [&](const Part& part) {
        const std::uint64_t set = (marks >> part.offset << part.first_bit) & part.bits;
        part.leaf->unwritten[part.word].fetch_and(~part.bits | set, std::memory_order_relaxed);
        part.leaf->unwritten[part.word].fetch_or(set, std::memory_order_relaxed);
        return true;
    });
}

/// The bytes at `to` get the marks of unwritten bytes at `from`. The ranges may overlap.
void copy_marks(Address to, Address from, std::size_t bytes) {
    if (!has_any<&Leaf::unwritten>(from, bytes)) {
        clear<&Leaf::unwritten>(to, bytes);
        return;
    }
    if (!can_mark(to)) return;
    table.make(to, bytes);
    const std::size_t steps = (bytes + word_bits - 1) / word_bits;
    for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t offset = (to > from ? steps - 1 - i : i) * word_bits;
        const std::size_t count = std::min<std::size_t>(bytes - offset, word_bits);
        set_unwritten_at(to + offset, count, unwritten_at(from + offset, count));
    }
}

/// A kernel's copy does not copy marks, because its target may be on a stack. So the copy counts as a read.
void see_copy(void* to, const void* from, std::size_t bytes, const Frame* frame) {
    if (bytes == 0) return;
    const auto source = reinterpret_cast<Address>(from);
    const auto target = reinterpret_cast<Address>(to);
    const bool is_of_kernel = is_cuda_thread();
    if (is_of_kernel ||
        (leaf_of(source) != nullptr && !arrays_are_in_reach() && has_any<&Leaf::of_gpu>(source, bytes)))
        see_read(source, bytes, frame);
    if (is_of_kernel)
        see_write(target, bytes, frame);
    else
        copy_marks(target, source, bytes);
}

}  // namespace

void fail_at_end() { has_failed = true; }

void mark_unwritten(void* memory, std::size_t bytes) {
    // Memory of the heap loses its marks when malloc() gives it to another user.
    [[maybe_unused]] static const int once = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void* given, std::size_t size) { unmark(const_cast<const void*>(given), size); },
        [](const volatile void*) {});
    __real_memset(memory, fill, bytes);
    set<&Leaf::unwritten>(reinterpret_cast<Address>(memory), bytes);
}

void mark_as_of_gpu(const void* memory, std::size_t bytes) {
    set<&Leaf::of_gpu>(reinterpret_cast<Address>(memory), bytes);
}

void mark_written(const void* memory, std::size_t bytes) {
    clear<&Leaf::unwritten>(reinterpret_cast<Address>(memory), bytes);
}

void check_read(const void* memory, std::size_t bytes) {
    see_read(reinterpret_cast<Address>(memory), bytes, static_cast<const Frame*>(__builtin_frame_address(0)));
}

bool has_virtual_functions(const void* memory, std::size_t bytes) {
    if (reinterpret_cast<Address>(memory) % sizeof(Address) != 0 ||
        __asan_region_is_poisoned(const_cast<void*>(memory), bytes) != nullptr)
        return false;
    constexpr Address first_function = 16;  // an object points there in the table (Itanium C++ ABI)
    const auto* const words = static_cast<const Address*>(memory);
    return std::any_of(words, words + bytes / sizeof(Address), [](Address word) {
        const ProgramVariable* const table = virtual_tables().at(word);
        return table != nullptr && word == table->begin + first_function;
    });
}

void unmark(const void* memory, std::size_t bytes) {
    mark_written(memory, bytes);
    clear<&Leaf::of_gpu>(reinterpret_cast<Address>(memory), bytes);
}

}  // namespace cudabook::emulation
// NOLINTEND(performance-no-int-to-ptr)

// ----- The functions that the program calls, by the linker's option --wrap (cmake/emulation.cmake). Each
// calls AddressSanitizer's function last, so that a report begins with the caller.

// NOLINTBEGIN(bugprone-reserved-identifier)
using cudabook::emulation::Address;
using cudabook::emulation::Frame;
using cudabook::emulation::see_copy;
using cudabook::emulation::see_read;
using cudabook::emulation::see_write;

#define CUDABOOK_FRAME static_cast<const Frame*>(__builtin_frame_address(0))

extern "C" {
#define CUDABOOK_MARKED(kind, see, size)               \
    void __real___asan_##kind##size(Address address);  \
    void __wrap___asan_##kind##size(Address address);  \
    void __wrap___asan_##kind##size(Address address) { \
        see(address, size, CUDABOOK_FRAME);            \
        __real___asan_##kind##size(address);           \
    }
#define CUDABOOK_MARKED_RANGE(kind, see)                               \
    void __real___asan_##kind##N(Address address, std::size_t bytes);  \
    void __wrap___asan_##kind##N(Address address, std::size_t bytes);  \
    void __wrap___asan_##kind##N(Address address, std::size_t bytes) { \
        see(address, bytes, CUDABOOK_FRAME);                           \
        __real___asan_##kind##N(address, bytes);                       \
    }
#define CUDABOOK_MARKED_COPY(name)                                       \
    void* __real_##name(void* to, const void* from, std::size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, std::size_t bytes);  \
    void* __wrap_##name(void* to, const void* from, std::size_t bytes) { \
        see_copy(to, from, bytes, CUDABOOK_FRAME);                       \
        return __real_##name(to, from, bytes);                           \
    }
#define CUDABOOK_MARKED_FILL(name)                                           \
    void* __real_##name(void* memory, int value, std::size_t bytes);         \
    void* __wrap_##name(void* memory, int value, std::size_t bytes);         \
    void* __wrap_##name(void* memory, int value, std::size_t bytes) {        \
        see_write(reinterpret_cast<Address>(memory), bytes, CUDABOOK_FRAME); \
        return __real_##name(memory, value, bytes);                          \
    }
CUDABOOK_MARKED(load, see_read, 1)
CUDABOOK_MARKED(load, see_read, 2)
CUDABOOK_MARKED(load, see_read, 4)
CUDABOOK_MARKED(load, see_read, 8)
CUDABOOK_MARKED(load, see_read, 16)
CUDABOOK_MARKED_RANGE(load, see_read)
CUDABOOK_MARKED(store, see_write, 1)
CUDABOOK_MARKED(store, see_write, 2)
CUDABOOK_MARKED(store, see_write, 4)
CUDABOOK_MARKED(store, see_write, 8)
CUDABOOK_MARKED(store, see_write, 16)
CUDABOOK_MARKED_RANGE(store, see_write)
CUDABOOK_MARKED_COPY(memcpy)
CUDABOOK_MARKED_COPY(memmove)
CUDABOOK_MARKED_COPY(__asan_memcpy)
CUDABOOK_MARKED_COPY(__asan_memmove)
CUDABOOK_MARKED_FILL(memset)
CUDABOOK_MARKED_FILL(__asan_memset)
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
