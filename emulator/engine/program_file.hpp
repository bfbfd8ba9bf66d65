// What the symbol table of this program's file says of its functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// The mangled name of a function of this program; empty if the file has no symbol table (strip(1) takes it
/// away) or the function is not in it.
std::string mangled_name_of(const void* function);

/// The name for people: without parameters and return type; "a kernel" if there is none.
std::string name_of(const void* function);

/// The same without namespaces, also of template arguments.
std::string short_name_of(const void* function);

/// Where this program's file begins in memory: what an address in its code is to the file, or to
/// addr2line(1), is this less.
std::uintptr_t program_begin();

/// A variable of the program that is not constant to the host, nor the emulation's own. What kernels reach of
/// them are __device__ and __constant__ variables.
struct ProgramVariable {
    std::uintptr_t begin;
    std::size_t bytes;
    std::string_view name;  ///< as in the symbol table
};

/// In the order of their addresses; empty if the file has no symbol table.
const std::vector<ProgramVariable>& program_variables();

/// The name of a variable as in the program's text: without namespaces, classes and functions. `mangled`: as
/// in the symbol table.
std::string variable_name(std::string_view mangled);

/// A thread_local variable of the program, and where the calling thread has it.
struct ThreadLocal {
    std::string_view name;  ///< as in the symbol table
    std::byte* address;
    std::size_t bytes;
};

/// Those of the program, as far as its file tells.
std::vector<ThreadLocal> thread_locals();

}  // namespace cudabook::emulation
