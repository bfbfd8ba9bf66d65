#include "emulator/engine/launch_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "emulator/engine/program_file.hpp"

namespace cudabook::emulation {

/// An entry of the section: the distance from the entry to a place in the kernel's code, and the bound.
struct LaunchBound {
    std::int32_t to_code;
    std::int32_t threads;
};

// The linker defines where a section begins and ends, if the program has the section. (These names are not
// in the anonymous namespace, where no name can be weak.)
extern const LaunchBound section_begin[] __asm__("__start_cudabook_launch_bounds") __attribute__((weak));
extern const LaunchBound section_end[] __asm__("__stop_cudabook_launch_bounds") __attribute__((weak));

namespace {

/// Returns the bounds; the keys are the kernels' addresses.
std::map<std::uintptr_t, int> bounds_of_section() {
    std::map<std::uintptr_t, int> bounds;
    for (const LaunchBound* entry = section_begin; entry < section_end; ++entry)
        if (entry->threads > 0)  // nvcc ignores other bounds
            bounds[function_at(reinterpret_cast<const std::byte*>(entry) + entry->to_code)] =
                std::min(entry->threads, most_of_a_block);
    return bounds;
}

}  // namespace

int most_threads_of(const void* kernel) {
    static const std::map<std::uintptr_t, int> bounds = bounds_of_section();
    const auto found = bounds.find(reinterpret_cast<std::uintptr_t>(kernel));
    return found == bounds.end() ? most_of_a_block : found->second;
}

}  // namespace cudabook::emulation
