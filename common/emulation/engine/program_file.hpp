// What the symbol table of this program's file says of its functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// The mangled name of a function of this program; empty if the file has no symbol table (strip(1) takes it
/// away) or the function is not in it.
std::string mangled_name_of(const void* function);

/// The name for people: without parameters and return type; "a kernel" if there is none.
std::string name_of(const void* function);

/// A thread_local variable of the program, and where the calling thread has it.
struct ThreadLocal {
    std::string_view name;  ///< as in the symbol table
    std::byte* address;
    std::size_t bytes;
};

/// Those of the program, as far as its file tells.
std::vector<ThreadLocal> thread_locals();

}  // namespace cudabook::emulation
