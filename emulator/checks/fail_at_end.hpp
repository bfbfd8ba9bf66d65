// The exit status of a program that a sanitizer checks.
#pragma once

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// Makes the program end with the exit status that the sanitizer has for a mistake. Call it after a report.
void fail_at_end();

/// Calls fail_at_end() for a mistake that the emulated GPU itself finds, but only in programs of
/// cudabook-nvcc, because the project's own tests make such mistakes.
void fail_at_end_if_checked();

#else

inline void fail_at_end_if_checked() {}

#endif

}  // namespace cudabook::emulation
