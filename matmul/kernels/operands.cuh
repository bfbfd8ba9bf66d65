// The formats of the factors' elements for the tensor cores: one or two numbers of fewer bits for each
// element.
#pragma once

#include <cuda_fp16.h>

#include <climits>

#include "common/cuda/ptx/tf32.cuh"

namespace cudabook::matmul {

/// One number for each element: the element rounded to TF32, which has 11 significant bits.
struct OneTf32 {
    using Element = float;
    static constexpr int parts = 1;
    static constexpr bool scaled = false;
    static constexpr int tiles_in_a_sum = INT_MAX;  // tiles of 32 elements along k that the tensor cores add
                                                    // up
};

/// Two numbers for each element: the element rounded to TF32, and the remainder.
struct TwoTf32 {
    using Element = float;
    static constexpr int parts = 2;
    static constexpr bool scaled = false;
    static constexpr int tiles_in_a_sum = 1;
};

/// Two numbers for each element: the element rounded to half precision, and the remainder. Half precision has
/// 11 significant bits, as many as TF32, but reaches only from 2^-24 to 65504. So each row of A and each
/// column of B is multiplied by a power of two that makes its largest element at least 2^14 and less than
/// 2^15. Whatever is smaller than 2^-39 times the largest element is lost.
struct TwoHalves {
    using Element = __half;
    static constexpr int parts = 2;
    static constexpr bool scaled = true;
    static constexpr int tiles_in_a_sum = 2;
};

constexpr int smallest_exponent = -100;  // the exponent of a row's or column's largest element counts as at
                                         // least this number, so that the scale is finite

/// Returns e: packing multiplies the elements of a row or column by 2^-e, and storing multiplies their sums
/// by 2^e. `largest` has the bits of the largest element of the row or column, without the sign.
__device__ inline int exponent_of_scale(unsigned largest) {
    return max(static_cast<int>(largest >> 23U) - 127, smallest_exponent) - 14;
}

/// Returns 2 to the power of `exponent`, which is between -126 and 127.
__device__ inline float power_of_two(int exponent) {
    return __uint_as_float(static_cast<unsigned>(exponent + 127) << 23U);
}

/// A group of elements that are consecutive along k, divided into parts. Each part has one number for each
/// element and takes 16 bytes.
template <class Operands>
struct Group {
    static constexpr int elements = 16 / static_cast<int>(sizeof(typename Operands::Element));

    __device__ Group(const float (&values)[elements], float scale) {
#pragma unroll
        for (int i = 0; i < elements; ++i) {
            const float whole = values[i] * scale;
            const float high = Operands::scaled ? __half2float(__float2half_rn(whole)) : ptx::to_tf32(whole);
            part[0].element[i] = high;
            if (Operands::parts == 2) part[1].element[i] = whole - high;
        }
    }

    struct alignas(16) Part {
        typename Operands::Element element[elements];
    } part[Operands::parts];
};

}  // namespace cudabook::matmul
