// Marks bytes that nobody has written, and bytes that the host may not use. The marks exist only in programs
// that cudabook-nvcc --check compiles; in other programs the functions do nothing. In these programs, each
// access calls a function in memory_marks.cpp, which checks the marks and then calls AddressSanitizer. The
// process ends with status 1 and one line on stderr if unwritten bytes are read, if the host uses bytes that
// it may not use, or if a kernel uses the host's heap or the main thread's stack. The host's memcpy() and
// memmove() also copy the marks. So copying unwritten bytes is no error, but using the copy is an error.
#pragma once

#include <cstddef>

namespace cudabook::emulation {

#if CUDABOOK_MEMORY_MARKS

/// Fills the bytes with 0xff and marks them as unwritten. The mark is ignored if the byte has another value
/// when it is read, because then code that is not instrumented has written the byte, for example a library's
/// function.
void mark_unwritten(void* memory, std::size_t bytes);

/// Marks bytes that only threads that have the arrays in reach (ArraysInReach) may use, until the bytes are
/// unmarked or freed.
void mark_as_of_gpu(const void* memory, std::size_t bytes);

/// Marks the bytes as written.
void mark_written(const void* memory, std::size_t bytes);

/// Checks a read that the emulated GPU itself makes for a kernel, for example in a texture fetch.
void check_read(const void* memory, std::size_t bytes);

/// Removes all marks.
void unmark(const void* memory, std::size_t bytes);

/// Returns whether the bytes contain an object with virtual functions that the host has constructed. The
/// bytes must begin at a multiple of 8.
bool has_virtual_functions(const void* memory, std::size_t bytes);

#else

inline void mark_unwritten(void*, std::size_t) {}
inline void mark_as_of_gpu(const void*, std::size_t) {}
inline void mark_written(const void*, std::size_t) {}
inline void check_read(const void*, std::size_t) {}
inline void unmark(const void*, std::size_t) {}
inline bool has_virtual_functions(const void*, std::size_t) { return false; }

#endif

}  // namespace cudabook::emulation
