// assert(), also for CUDA threads. There is no include guard: as in C, NDEBUG decides at each inclusion.
#include_next <assert.h>

#if defined(__cplusplus) && !defined(NDEBUG)
namespace cudabook::emulation {
[[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line,
                                 const char* function);
}
#undef assert
#define assert(assertion)         \
    (static_cast<bool>(assertion) \
         ? void(0)                \
         : ::cudabook::emulation::fail_assertion(#assertion, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
