// The SIMD levels at which a sample's loops are compiled. Highway compiles a file once for each level
// (hwy/foreach_target.h) and knows the levels of this processor. A file includes this header before
// Highway's.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

// All but AVX-512, AVX2, NEON and WebAssembly's SIMD, and what every processor of an architecture has. Bit
// HWY_NEON << 1 is NEON without AES in newer versions of Highway.
#define HWY_DISABLED_TARGETS \
    (~(HWY_AVX3 | HWY_AVX2 | HWY_NEON | HWY_NEON << 1U | HWY_WASM | HWY_EMU128 | HWY_SCALAR))
#include <hwy/targets.h>

namespace cudabook {

/// The name of a level in reports; `target` is HWY_TARGET.
constexpr const char* simd_name(std::int64_t target) {
    switch (target) {
        case HWY_AVX3:
            return "avx512";
        case HWY_AVX2:
            return "avx2";
        case HWY_NEON:
        case HWY_NEON << 1U:
            return "neon";
        default:
            return "portable";
    }
}

/// Returns the loops of the levels that this processor has, the widest level first. The arguments are
/// HWY_CHOOSE_AVX3(loops), HWY_CHOOSE_AVX2(loops) and HWY_STATIC_DISPATCH(loops).
template <class Loops>
std::vector<Loops> loops_of_this_processor(const std::type_identity_t<Loops>* avx512,
                                           const std::type_identity_t<Loops>* avx2, const Loops& always) {
    const std::int64_t supported = HWY_SUPPORTED_TARGETS;
    std::vector<Loops> all;
    if (avx512 != nullptr && avx512 != &always && (supported & HWY_AVX3) != 0) all.push_back(*avx512);
    if (avx2 != nullptr && avx2 != &always && (supported & HWY_AVX2) != 0) all.push_back(*avx2);
    all.push_back(always);
    return all;
}

}  // namespace cudabook
