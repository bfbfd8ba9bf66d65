// The exit status of a program that a sanitizer checks.
#pragma once

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// Makes the program end with the exit status by which the sanitizer tells of a mistake. Call this after a
/// report.
void fail_at_end();

/// Calls fail_at_end() in programs that cudabook-nvcc has made. Does nothing in the project's own tests,
/// because they make mistakes on purpose. Call this for a mistake that the emulated GPU itself finds.
void fail_at_end_if_checked();

#else

inline void fail_at_end_if_checked() {}

#endif

}  // namespace cudabook::emulation
