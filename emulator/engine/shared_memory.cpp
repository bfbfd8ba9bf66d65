#include "emulator/engine/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include <fmt/format.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/identity.hpp"
#include "emulator/checks/memory_marks.hpp"
#include "emulator/checks/sanitizer.hpp"
#include "emulator/engine/cluster.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/objects/shared_memory_source.hpp"

#if CUDABOOK_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace cudabook::emulation {

namespace {

using Bytes = std::span<std::byte>;

std::byte* end_of(const Bytes& bytes) { return bytes.data() + bytes.size(); }

/// Extends `bytes` so that it contains `other`.
[[maybe_unused]] void add(Bytes& bytes, const Bytes& other) {
    bytes = bytes.empty()
                ? other
                : Bytes(std::min(bytes.data(), other.data()), std::max(end_of(bytes), end_of(other)));
}

[[maybe_unused]] Bytes common(const Bytes& a, const Bytes& b) {
    std::byte* const begin = std::max(a.data(), b.data());
    return {begin, std::max(begin, std::min(end_of(a), end_of(b)))};
}

void fill(const Bytes& bytes) { std::memset(bytes.data(), 0xff, bytes.size()); }

}  // namespace

class SharedMemory {
  public:
    std::vector<Bytes> variables;
    std::vector<Bytes> dynamic_arrays;
    std::size_t accessible_bytes = dynamic_array_bytes;  ///< accessible bytes of each dynamic array
    bool has_ended = false;                              ///< then the variables are not accessible either
    const Cluster* cluster = nullptr;                    ///< the cluster of the block that runs here
    Bytes all;                                           ///< the range that contains all variables and arrays
    std::vector<Bytes> guards;                           ///< the variables that no kernel writes
    std::vector<unsigned char> written;                  ///< for Accesses
    Bytes touched;                                       ///< what the block had used by its last barrier
#if CUDABOOK_THREAD_SANITIZER
    Accesses& accesses_here = accesses;
#endif

    SharedMemory() {
        find_variables();
        for (const Bytes& variable : variables) add(all, variable);
        for (const Bytes& array : dynamic_arrays) add(all, array);
#if CUDABOOK_THREAD_SANITIZER
        // Kernels do not touch other memory between the variables.
        variables.insert(variables.end(), dynamic_arrays.begin(), dynamic_arrays.end());
        written.resize(all.size() + 16);  // the size of the largest access
        touched = all;
        accesses.shared = reinterpret_cast<std::uintptr_t>(all.data());
        accesses.shared_bytes = all.size();
        accesses.written = written.data();
#endif
    }

    void find_variables() {
        for (const ThreadLocal& variable : thread_locals()) {
            if (!is_shared_variable(variable.name)) continue;
            const Bytes bytes(variable.address, variable.bytes);
            if (variable.bytes != dynamic_array_bytes) {
                variables.push_back(bytes);
                if (is_guard(variable.name)) guards.push_back(bytes);
                continue;
            }
            bool is_new = true;  // several arrays have one address
            for (const Bytes& other : dynamic_arrays) is_new = is_new && other.data() != bytes.data();
            if (is_new) dynamic_arrays.push_back(bytes);
        }
    }
#if CUDABOOK_THREAD_SANITIZER
    ~SharedMemory() { accesses = {}; }
#else
    ~SharedMemory() {
        allow(dynamic_array_bytes);
        unmark(all.data(), all.size());
    }
#endif
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    /// Allows accesses to the variables and to `bytes` bytes of dynamic shared memory.
    void allow([[maybe_unused]] std::size_t bytes) {
#if CUDABOOK_ADDRESS_SANITIZER
        if (std::exchange(has_ended, false))
            for (const Bytes& variable : variables)
                __asan_unpoison_memory_region(variable.data(), variable.size());
        if (bytes == accessible_bytes) return;
        accessible_bytes = bytes;
        for (const Bytes& array : dynamic_arrays) {
            __asan_unpoison_memory_region(array.data(), bytes);
            __asan_poison_memory_region(array.data() + bytes, array.size() - bytes);
        }
#endif
    }

    /// Allows no accesses.
    void forbid() {
#if CUDABOOK_ADDRESS_SANITIZER
        allow(0);
        has_ended = true;
        for (const Bytes& variable : variables) __asan_poison_memory_region(variable.data(), variable.size());
#endif
    }

    [[nodiscard]] bool has(const void* address) const {
        const auto* const byte = static_cast<const std::byte*>(address);
        const auto has_byte = [&](const Bytes& bytes) {
            return byte >= bytes.data() && byte < end_of(bytes);
        };
        return std::ranges::any_of(variables, has_byte) || std::ranges::any_of(dynamic_arrays, has_byte);
    }
};

SharedMemory& shared_memory_here() {
    thread_local SharedMemory shared;
    return shared;
}

bool is_in_shared_memory(const void* address) {
    const Ignored ignored;  // the engine reads here, not a CUDA thread
    return shared_memory_here().has(address);
}

// ----- Clusters

namespace {

/// Returns the begin of an inaccessible range of `bytes` bytes, which is the same in all calls.
std::uintptr_t no_memory(std::size_t bytes) {
    static const std::uintptr_t begin = [bytes] {
        void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::system_error(errno, std::generic_category(), "the shared memory of an ended block");
        return reinterpret_cast<std::uintptr_t>(memory);
    }();
    return begin;
}

/// The begin of no_memory()'s range, for a signal handler; 0 if the range has not been mapped.
constinit std::atomic<std::uintptr_t> of_ended_blocks{0};
constinit std::atomic<std::size_t> bytes_of_ended_blocks{0};

}  // namespace

std::optional<unsigned> rank_of_owner(const Cluster& cluster, const void* address) {
    const Ignored ignored;  // the engine reads here, not a CUDA thread
    for (unsigned rank = 0; rank < cluster.blocks(); ++rank)
        if (cluster.memory_of(rank).has(address)) return rank;
    return std::nullopt;
}

// The offset is the same in all blocks: the thread_local variables of all threads have the same layout.
void* address_in_block(const Cluster& cluster, unsigned to, unsigned from, const void* address) {
    const Ignored ignored;  // the engine reads here, not a CUDA thread
    const Bytes& all = cluster.memory_of(from).all;
    const std::ptrdiff_t offset = static_cast<const std::byte*>(address) - all.data();
    if (address_sanitizer || thread_sanitizer || !cluster.has_ended(to))  // sanitizers see the access
        return cluster.memory_of(to).all.data() + offset;
    const std::uintptr_t begin = no_memory(all.size());
    of_ended_blocks = begin;  // set first, so that no other address counts as an ended block's
    bytes_of_ended_blocks = all.size();
    return reinterpret_cast<void*>(begin + static_cast<std::uintptr_t>(offset));
}

bool is_of_ended_block(std::uintptr_t address) { return address - of_ended_blocks < bytes_of_ended_blocks; }

#if CUDABOOK_THREAD_SANITIZER

Accesses* owner_of(std::uintptr_t address, std::size_t& offset) {
    const Cluster& cluster = *shared_memory_here().cluster;
    for (unsigned rank = 0; rank < cluster.blocks(); ++rank) {
        Accesses& owner = cluster.memory_of(rank).accesses_here;
        offset = address - owner.shared;
        if (offset < owner.shared_bytes) return &owner;
    }
    return nullptr;
}

void forget_touched() {
    Accesses& here = accesses;
    if (here.touched_begin >= here.touched_end) return;
    SharedMemory& shared = shared_memory_here();
    const Bytes touched = shared.all.subspan(here.touched_begin, here.touched_end - here.touched_begin);
    forget_uses(touched.data(), touched.size());
    add(shared.touched, touched);
    here.touched_begin = SIZE_MAX;
    here.touched_end = 0;
}

void begin_shared_memory(std::size_t dynamic_bytes, const Cluster* cluster) {
    SharedMemory& shared = shared_memory_here();
    const Ignored ignored;
    if (std::exchange(shared.cluster, cluster) != nullptr) {  // other blocks may have touched any part
        accesses.touched_begin = 0;
        accesses.touched_end = shared.all.size();
    }
    accesses.is_of_cluster = cluster != nullptr;
    shared.accessible_bytes = dynamic_bytes;
    forget_touched();
    const Bytes touched = std::exchange(shared.touched, {});
    if (touched.empty()) return;
    for (const Bytes& variable : shared.variables) fill(common(variable, touched));
    std::fill_n(accesses.written + (touched.data() - shared.all.data()), touched.size(), 0);
    for (const Bytes& guard : shared.guards)
        std::fill_n(accesses.written + (guard.data() - shared.all.data()), guard.size(), 1);
}

// ThreadSanitizer sees a write to all shared memory of the block, which races with other blocks' unordered
// accesses.
void end_shared_memory() {
    const SharedMemory& shared = shared_memory_here();
    for (const Bytes& variable : shared.variables)
        see_end(variable.data(),
                variable.size() == dynamic_array_bytes ? shared.accessible_bytes : variable.size());
}

#else

void begin_shared_memory(std::size_t dynamic_bytes, const Cluster* cluster) {
    SharedMemory& shared = shared_memory_here();
    shared.cluster = cluster;
    shared.allow(dynamic_bytes);
    for (const Bytes& variable : shared.variables) fill(variable);
    for (const Bytes& array : shared.dynamic_arrays) {
        fill(array.first(dynamic_bytes));
        // Variables get no marks, because compilers do not instrument accesses that are clearly within them.
        mark_unwritten(array.data(), dynamic_bytes);
    }
}

void end_shared_memory() { shared_memory_here().forbid(); }

std::string beyond_shared_text(const void* address) {
    const auto text_of = [&](const SharedMemory& shared) -> std::string {
        if (shared.has_ended && shared.has(address))
            return ": it uses shared memory of another block of its cluster, which has ended";
        for (const Bytes& array : shared.dynamic_arrays) {
            const auto byte = static_cast<std::size_t>(static_cast<const std::byte*>(address) - array.data());
            if (byte >= shared.accessible_bytes && byte < array.size())
                return fmt::format(
                    ": the launch gives {} bytes of dynamic shared memory, and it uses byte {}",
                    shared.accessible_bytes, byte);
        }
        return {};
    };
    const SharedMemory& here = shared_memory_here();
    std::string text = text_of(here);
    if (here.cluster == nullptr) return text;
    for (unsigned rank = 0; rank < here.cluster->blocks() && text.empty(); ++rank)
        text = text_of(here.cluster->memory_of(rank));
    return text;
}

#endif

}  // namespace cudabook::emulation
