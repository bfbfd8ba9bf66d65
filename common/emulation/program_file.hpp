// What the symbol table of this program's file says of its functions.
#pragma once

#include <string>

namespace cudabook::emulation {

/// The mangled name of a function of this program; empty if the file has no symbol table (strip(1) takes it
/// away) or the function is not in it.
std::string mangled_name_of(const void* function);

/// The name for people: without parameters and return type; "a kernel" if there is none.
std::string name_of(const void* function);

}  // namespace cudabook::emulation
