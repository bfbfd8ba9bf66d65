// Which sanitizers are on: each macro is 1 or 0. CUDABOOK_THREAD_SANITIZER says that the device code is
// compiled with ThreadSanitizer. The rest of the program is compiled without ThreadSanitizer, so CMake sets
// this macro (cmake/emulation.cmake).
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define CUDABOOK_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUDABOOK_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef CUDABOOK_ADDRESS_SANITIZER
#define CUDABOOK_ADDRESS_SANITIZER 0
#endif

#ifndef CUDABOOK_THREAD_SANITIZER
#define CUDABOOK_THREAD_SANITIZER 0
#endif

/// For a function that reads memory that is not a GPU's, for example a table of the emulated GPU.
/// ThreadSanitizer does not see the function's accesses.
#if CUDABOOK_THREAD_SANITIZER
#define CUDABOOK_UNSEEN [[gnu::noinline]] __attribute__((no_sanitize("thread")))
#else
#define CUDABOOK_UNSEEN
#endif

/// For a function that accesses memory for a kernel. ThreadSanitizer's reports name the line of the access.
/// This is the kernel's line if all functions between the kernel and the access are inlined.
#if CUDABOOK_THREAD_SANITIZER
#define CUDABOOK_IN_CALLER [[gnu::always_inline]] inline
#else
#define CUDABOOK_IN_CALLER inline
#endif

namespace cudabook::emulation {

inline constexpr bool address_sanitizer = CUDABOOK_ADDRESS_SANITIZER == 1;
inline constexpr bool thread_sanitizer = CUDABOOK_THREAD_SANITIZER == 1;

}  // namespace cudabook::emulation
