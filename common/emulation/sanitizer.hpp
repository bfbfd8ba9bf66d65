// Whether this is compiled with AddressSanitizer: 1 or 0.
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
