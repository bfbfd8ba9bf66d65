// The output format of the kernels: each component of a texel as 32 bits.
#pragma once

#include <cstdint>

namespace cudabook::tex1dfetch_int2float {

__device__ inline std::uint32_t bits_of(float component) { return __float_as_uint(component); }
__device__ inline std::uint32_t bits_of(int component) { return static_cast<std::uint32_t>(component); }

/// Applies `function` to each component of `t`, which is a scalar or a vector of two or four components.
template <class Texel, class Function>
__device__ auto transform_components(Texel t, Function function) {
    if constexpr (requires { t.w; })
        return make_uint4(function(t.x), function(t.y), function(t.z), function(t.w));
    else if constexpr (requires { t.y; })
        return make_uint2(function(t.x), function(t.y));
    else
        return function(t);
}

}  // namespace cudabook::tex1dfetch_int2float
