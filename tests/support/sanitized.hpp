// Whether this build runs under AddressSanitizer: slower, and with an address space that cannot be limited.
#pragma once

namespace cudabook::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace cudabook::test
