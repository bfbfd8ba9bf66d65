// Which sanitizer there is: 1 or 0 each. ThreadSanitizer is that of the device code; the rest of a program is
// compiled without it, so CMake says (cmake/emulation.cmake).
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

/// For a function that reads what is not memory of the GPU: ThreadSanitizer does not see it.
#if CUDABOOK_THREAD_SANITIZER
#define CUDABOOK_UNSEEN [[gnu::noinline]] __attribute__((no_sanitize("thread")))
#else
#define CUDABOOK_UNSEEN
#endif

/// For a function between a kernel's call and an access: ThreadSanitizer's reports name one place, and that
/// is the kernel's line where everything is inlined.
#if CUDABOOK_THREAD_SANITIZER
#define CUDABOOK_IN_CALLER [[gnu::always_inline]] inline
#else
#define CUDABOOK_IN_CALLER inline
#endif

namespace cudabook::emulation {

inline constexpr bool address_sanitizer = CUDABOOK_ADDRESS_SANITIZER == 1;
inline constexpr bool thread_sanitizer = CUDABOOK_THREAD_SANITIZER == 1;

}  // namespace cudabook::emulation
