// The exit status of a program that a sanitizer checks.
#pragma once

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// Makes the program end with the sanitizer's exit status for a mistake. Called after a report.
void fail_at_end();

/// The same for a mistake that the emulated GPU itself finds, but only in programs of cudabook-nvcc: the
/// project's own tests make such mistakes.
void fail_at_end_if_checked();

#else

inline void fail_at_end_if_checked() {}

#endif

}  // namespace cudabook::emulation
