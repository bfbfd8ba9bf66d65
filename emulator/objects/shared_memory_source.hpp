// Finds in objects of emulated code what a linker and a loader for a GPU know of shared memory. In such
// objects, shared memory is thread-local storage: see emulator/include/cuda_runtime.h.
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

/// Returns whether the shared variable is one of g++'s own. For an array of a class with constructors, such
/// as half2, it says whether the array has been initialized; as all shared memory, it is not 0 when a block
/// begins.
inline bool is_guard(std::string_view name) { return name.starts_with("_ZGV"); }

/// The bytes of an array of dynamic shared memory: the most that any GPU allows.
inline constexpr std::size_t dynamic_array_bytes = 233472;

/// Returns a C++ source for a program of these objects, which are compiled with -ffunction-sections. It has:
///  - The arrays of dynamic shared memory, which code declares as `extern __shared__` and nothing defines.
///    They all begin at the same address, as in CUDA.
///  - A table of the bytes of the `__shared__` variables that each function and the functions that it calls
///    use. (It has all functions, because objects do not tell which functions are kernels.)
std::string shared_memory_source(const std::vector<ElfFile>& objects);

}  // namespace cudabook::emulation
