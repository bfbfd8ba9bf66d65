// Marks bytes that nobody has written, and bytes that the host may not use, in the programs that
// cudabook-nvcc --check compiles: there, each access calls a function in memory_marks.cpp, which calls
// AddressSanitizer. A read or use against the marks ends the process with status 1 and one line on stderr;
// so does a kernel's use of the host's heap or of the main thread's stack. When the host calls memcpy() or
// memmove(), the marks are copied along. So copying unwritten bytes is no error, but using the copy is. In
// other programs the functions do nothing.
#pragma once

#include <cstddef>

namespace cudabook::emulation {

#if CUDABOOK_MEMORY_MARKS

/// Fills the bytes with 0xff and marks them as unwritten. If a byte has another value when it is read, the
/// mark does not count: somebody has written the byte unseen, such as a function of a library.
void mark_unwritten(void* memory, std::size_t bytes);

/// Allows the bytes only for threads that have the arrays in reach (ArraysInReach), until they are unmarked
/// or freed.
void mark_as_of_gpu(const void* memory, std::size_t bytes);

/// Removes the marks that the bytes are unwritten.
void mark_written(const void* memory, std::size_t bytes);

/// Checks the emulated GPU's own read for a kernel, such as a fetch.
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
