// The SIMD level of this processor, and attributes that compile a function for a level.
#pragma once

// CUDABOOK_AVX2 or CUDABOOK_AVX512 before a function compiles the function for this level. Call it only if
// simd_level() is at least this level. GCC uses 512-bit registers only with prefer-vector-width=512.
#ifdef __x86_64__
#define CUDABOOK_AVX2 [[gnu::target("avx2,fma")]]
#ifdef __clang__
#define CUDABOOK_AVX512 [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,fma")]]
#else
#define CUDABOOK_AVX512 [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,fma,prefer-vector-width=512")]]
#endif
#endif

// CUDABOOK_BEGIN_AVX2 or CUDABOOK_BEGIN_AVX512 begins a group of functions that are compiled for this SIMD
// level. CUDABOOK_END_LEVEL ends the group.
#ifdef __x86_64__
#define CUDABOOK_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define CUDABOOK_BEGIN_LEVEL(level) \
    CUDABOOK_PRAGMA(clang attribute push(__attribute__((target(level))), apply_to = function))
#define CUDABOOK_END_LEVEL CUDABOOK_PRAGMA(clang attribute pop)
#define CUDABOOK_BEGIN_AVX512 CUDABOOK_BEGIN_LEVEL("avx512f,avx512vl,avx512bw,avx512dq,fma")
#else
#define CUDABOOK_BEGIN_LEVEL(level) CUDABOOK_PRAGMA(GCC push_options) CUDABOOK_PRAGMA(GCC target(level))
#define CUDABOOK_END_LEVEL CUDABOOK_PRAGMA(GCC pop_options)
#define CUDABOOK_BEGIN_AVX512 \
    CUDABOOK_BEGIN_LEVEL("avx512f,avx512vl,avx512bw,avx512dq,fma,prefer-vector-width=512")
#endif
#define CUDABOOK_BEGIN_AVX2 CUDABOOK_BEGIN_LEVEL("avx2,fma")
#endif

namespace cudabook {

/// The levels of SIMD instructions. Each level includes the levels before it. All levels except the first
/// exist only on x86-64.
enum class SimdLevel : unsigned { portable, avx2, avx512 };

/// The highest level that this processor supports.
inline SimdLevel simd_level() {
#ifdef __x86_64__
    const auto has = [](auto... supported) { return ((supported != 0) && ...); };
    if (!has(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"))) return SimdLevel::portable;
    return has(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512vl"),
               __builtin_cpu_supports("avx512bw"), __builtin_cpu_supports("avx512dq"))
               ? SimdLevel::avx512
               : SimdLevel::avx2;
#else
    return SimdLevel::portable;
#endif
}

}  // namespace cudabook
