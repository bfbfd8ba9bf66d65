// Finds in objects of emulated code what a linker and a loader for a GPU know of shared memory. Shared memory
// is thread-local storage there: see emulator/include/cuda_runtime.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/objects/elf_file.hpp"

namespace cudabook::emulation {

/// Returns whether the thread_local variable with this name in the symbol table was declared as `__shared__`:
/// the name then has the tag of cuda_runtime.h.
inline bool is_shared_variable(std::string_view name) {
    return name.find("B15cudabook_shared") != std::string_view::npos;
}

/// The bytes of an array of dynamic shared memory: the most that any GPU allows.
inline constexpr std::size_t dynamic_array_bytes = 233472;

/// Returns a C++ source that provides, for a program of these objects (compiled with -ffunction-sections):
///  - The arrays of dynamic shared memory, which code declares as `extern __shared__` and nothing defines.
///    They all begin at the same address, as in CUDA.
///  - The bytes that each kernel declares: of the `__shared__` variables that the kernel, or a function that
///    it calls, uses. (For every function, because objects do not say which are kernels.)
std::string shared_memory_source(const std::vector<ElfFile>& objects);

}  // namespace cudabook::emulation
