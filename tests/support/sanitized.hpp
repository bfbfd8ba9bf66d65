// Whether this build uses AddressSanitizer. A program with AddressSanitizer is slower, and its address space
// cannot be limited.
#pragma once

namespace cudabook::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace cudabook::test
