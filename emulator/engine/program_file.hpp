// The functions and variables of this program, from the symbol table of its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// Returns the mangled name of a function of this program. Returns an empty string if the file has no symbol
/// table (strip(1) removes it) or lacks the function.
std::string mangled_name_of(const void* function);

/// Returns the address of the function of this program whose code contains `code`. Returns 0 if the
/// symbol table lacks the function.
std::uintptr_t function_at(const void* code);

/// The symbol of a kernel with __cluster_dims__ contains this tag and then the cluster's size, as in
/// cudabook_cluster_2_1_1. name_of() omits the tag and the size.
inline constexpr std::string_view cluster_tag = "cudabook_cluster_";
/// emulator/translator/ puts kernels with __cluster_dims__ into this namespace. name_of() omits it, too.
inline constexpr std::string_view cluster_namespace = "cudabook_cluster::";

/// Returns the function's demangled name without parameters and return type, or "a kernel" if the symbol
/// table has no name for it.
std::string name_of(const void* function);

/// Returns name_of() without namespaces, also in template arguments.
std::string short_name_of(const void* function);

/// Returns the address at which this program's file is loaded. Subtract it from an address in the code to get
/// the address in the file, which addr2line(1) needs.
std::uintptr_t program_begin();

/// A writable variable of the program; the emulator's own variables are excluded. Kernels may use a
/// ProgramVariable only if it is a __device__ or __constant__ variable.
struct ProgramVariable {
    std::uintptr_t begin;
    std::size_t bytes;
    std::string_view name;  ///< as in the symbol table
};

/// Returns the variables, sorted by address. Returns an empty vector if the file has no symbol table.
const std::vector<ProgramVariable>& program_variables();

/// Returns the name of a variable as in the source: without namespaces, classes and functions. `mangled` is
/// the name in the symbol table.
std::string variable_name(std::string_view mangled);

/// A thread_local variable of the program, with its address in the calling thread.
struct ThreadLocal {
    std::string_view name;  ///< as in the symbol table
    std::byte* address;
    std::size_t bytes;
};

/// Returns the thread_local variables in the file's symbol table.
std::vector<ThreadLocal> thread_locals();

}  // namespace cudabook::emulation
