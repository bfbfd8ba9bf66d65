// The SIMD level of this processor, and the attributes that compile a function for one.
#pragma once

// CUDABOOK_AVX2, CUDABOOK_AVX512: before a function, which may then run where simd_level() is at least that.
// GCC needs to be told that AVX-512 is for whole registers.
#ifdef __x86_64__
#define CUDABOOK_AVX2 [[gnu::target("avx2,fma")]]
#ifdef __clang__
#define CUDABOOK_AVX512 [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,fma")]]
#else
#define CUDABOOK_AVX512 [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,fma,prefer-vector-width=512")]]
#endif
#endif

namespace cudabook {

/// Each level includes those before it. All but the first are x86-64's.
enum class SimdLevel : unsigned { portable, avx2, avx512 };

/// The highest level that this processor has.
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
