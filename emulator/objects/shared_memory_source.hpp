// What a linker and a loader for a GPU know of shared memory, found in the objects of an emulated GPU's code.
// Shared memory is thread-local storage there: see emulator/include/cuda_runtime.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/objects/elf_file.hpp"

namespace cudabook::emulation {

/// Whether a thread_local variable of this name, as in a symbol table, was declared as `__shared__`: the name
/// has the tag of cuda_runtime.h.
inline bool is_shared_variable(std::string_view name) {
    return name.find("B15cudabook_shared") != std::string_view::npos;
}

/// How large the arrays of dynamic shared memory are: as large as any GPU lets them be.
inline constexpr std::size_t dynamic_array_bytes = 233472;

/// A C++ source that makes this known to a program of these objects (compiled with -ffunction-sections):
///  - The arrays of dynamic shared memory. Code declares them as `extern __shared__`, and nothing defines
///    them. They all begin at one address, as in CUDA.
///  - How many bytes each kernel declares: those of the `__shared__` variables that it, or a function that it
///    calls, uses. (For every function, because objects do not say which are kernels.)
std::string shared_memory_source(const std::vector<ElfFile>& objects);

}  // namespace cudabook::emulation
