// The exit status of a program that a sanitizer checks.
#pragma once

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// When the program ends, its status is the sanitizer's for a mistake, because one has been reported.
void fail_at_end();

/// The same for a mistake that is found without the sanitizer, in programs of cudabook-nvcc. (The project's
/// own tests make such mistakes.)
void fail_at_end_if_checked();

#else

inline void fail_at_end_if_checked() {}

#endif

}  // namespace cudabook::emulation
