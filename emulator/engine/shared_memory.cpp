#include "emulator/engine/shared_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/identity.hpp"
#include "emulator/checks/sanitizer.hpp"
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

/// The shared memory of this operating system's thread.
struct SharedMemory {
    std::vector<Bytes> variables;
    std::vector<Bytes> dynamic_arrays;
    std::size_t accessible_bytes = dynamic_array_bytes;
    Bytes all;                           ///< the range that contains all variables and arrays
    std::vector<unsigned char> written;  ///< for Accesses
    Bytes touched;                       ///< touched by the block up to its last barrier

    SharedMemory() {
        find_variables();
#if CUDABOOK_THREAD_SANITIZER
        // Kernels do not touch other memory between the variables.
        variables.insert(variables.end(), dynamic_arrays.begin(), dynamic_arrays.end());
        for (const Bytes& variable : variables) add(all, variable);
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
    ~SharedMemory() { allow(dynamic_array_bytes); }
#endif
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    void allow([[maybe_unused]] std::size_t bytes) {
#if CUDABOOK_ADDRESS_SANITIZER
        if (bytes == accessible_bytes) return;
        accessible_bytes = bytes;
        for (const Bytes& array : dynamic_arrays) {
            __asan_unpoison_memory_region(array.data(), bytes);
            __asan_poison_memory_region(array.data() + bytes, array.size() - bytes);
        }
#endif
    }
};

void fill(const Bytes& bytes) { std::memset(bytes.data(), 0xff, bytes.size()); }

SharedMemory& shared_memory_here() {
    thread_local SharedMemory shared;
    return shared;
}

}  // namespace

bool is_in_shared_memory(const void* address) {
    const Ignored ignored;  // the engine reads here, not a CUDA thread
    const auto* const byte = static_cast<const std::byte*>(address);
    const auto has_byte = [&](const Bytes& bytes) { return byte >= bytes.data() && byte < end_of(bytes); };
    const SharedMemory& shared = shared_memory_here();
    return std::ranges::any_of(shared.variables, has_byte) ||
           std::ranges::any_of(shared.dynamic_arrays, has_byte);
}

#if CUDABOOK_THREAD_SANITIZER

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

void begin_shared_memory(std::size_t) {
    SharedMemory& shared = shared_memory_here();
    const Ignored ignored;
    forget_touched();
    const Bytes touched = std::exchange(shared.touched, {});
    if (touched.empty()) return;
    for (const Bytes& variable : shared.variables) fill(common(variable, touched));
    std::fill_n(accesses.written + (touched.data() - shared.all.data()), touched.size(), 0);
}

#else

void begin_shared_memory(std::size_t dynamic_bytes) {
    SharedMemory& shared = shared_memory_here();
    shared.allow(dynamic_bytes);
    for (const Bytes& variable : shared.variables) fill(variable);
    for (const Bytes& array : shared.dynamic_arrays) fill(array.first(dynamic_bytes));
}

std::string beyond_dynamic_text(const void* address) {
    const SharedMemory& shared = shared_memory_here();
    for (const Bytes& array : shared.dynamic_arrays) {
        const auto byte = static_cast<std::size_t>(static_cast<const std::byte*>(address) - array.data());
        if (byte >= shared.accessible_bytes && byte < array.size())
            return fmt::format(": the launch gives {} bytes of dynamic shared memory, and it uses byte {}",
                               shared.accessible_bytes, byte);
    }
    return {};
}

#endif

}  // namespace cudabook::emulation
