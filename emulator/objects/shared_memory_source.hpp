// Finds in object files of emulated code what a GPU's linker and loader would find about shared memory. In
// these object files, shared memory is thread-local storage: see emulator/include/cuda_runtime.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/objects/elf_file.hpp"

namespace cudabook::emulation {

/// Returns whether the thread_local variable with this name in the symbol table was declared as
/// `__shared__`. The names of such variables contain cuda_runtime.h's tag.
inline bool is_shared_variable(std::string_view name) {
    return name.find("B15cudabook_shared") != std::string_view::npos;
}

/// Returns whether the shared variable is a guard, which g++ adds to an array of a class with constructors,
/// such as half2. A guard that is not 0 says that the array has been initialized. Shared memory, guards
/// included, is not 0 when a block begins.
inline bool is_guard(std::string_view name) { return name.starts_with("_ZGV"); }

/// The bytes of an array of dynamic shared memory: the most that any GPU allows.
inline constexpr std::size_t dynamic_array_bytes = 233472;

/// Returns a C++ source for the program that is linked from these objects. The objects must have been
/// compiled with -ffunction-sections. The source has:
///  - The arrays of dynamic shared memory, which code declares as `extern __shared__` and nothing defines.
///    They all begin at the same address, as in CUDA.
///  - A table of the bytes of the `__shared__` variables that each function and the functions that it calls
///    use. (The table has all functions, because objects do not tell which functions are kernels.)
std::string shared_memory_source(const std::vector<ElfFile>& objects);

}  // namespace cudabook::emulation
