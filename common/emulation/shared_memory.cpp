#include "common/emulation/shared_memory.hpp"

#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "common/emulation/identity.hpp"
#include "common/emulation/program_file.hpp"
#include "common/emulation/sanitizer.hpp"

#if CUDABOOK_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace cudabook::emulation {

namespace {

/// As large as the arrays of dynamic shared memory are (cmake/shared_memory.sh), and nothing else.
constexpr std::size_t dynamic_array_bytes = 233472;

std::set<std::string_view>& known_names() {
    static std::set<std::string_view> names;
    return names;
}

using Bytes = std::span<std::byte>;

/// Of this thread of the operating system.
struct SharedMemory {
    std::vector<Bytes> variables;
    std::vector<Bytes> dynamic_arrays;
    std::size_t accessible_bytes = dynamic_array_bytes;

    SharedMemory() {
        for (const ThreadLocal& variable : thread_locals()) {
            const Bytes bytes(variable.address, variable.bytes);
            if (known_names().contains(variable.name)) variables.push_back(bytes);
            if (variable.bytes != dynamic_array_bytes) continue;
            bool is_new = true;  // several arrays have one address
            for (const Bytes& other : dynamic_arrays) is_new = is_new && other.data() != bytes.data();
            if (is_new) dynamic_arrays.push_back(bytes);
        }
    }
    ~SharedMemory() { allow(dynamic_array_bytes); }
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

void fill(const Bytes& bytes) {
    const Ignored ignored;
    std::memset(bytes.data(), 0xff, bytes.size());
}

}  // namespace

void make_shared_variable_known(const char* name) { known_names().insert(name); }

void begin_shared_memory(std::size_t dynamic_bytes) {
    thread_local SharedMemory shared;
    shared.allow(dynamic_bytes);
    for (const Bytes& variable : shared.variables) {
        fill(variable);
        forget_uses(variable.data(), variable.size());
    }
    if (dynamic_bytes == 0) return;
    for (const Bytes& array : shared.dynamic_arrays) {
        fill(array.first(dynamic_bytes));
        forget_uses(array.data(), dynamic_bytes);
    }
}

}  // namespace cudabook::emulation
