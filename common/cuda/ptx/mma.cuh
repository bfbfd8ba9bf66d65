// The tensor cores' matrix product of a warp. Source: PTX ISA, "mma", "Matrix Fragments for mma.m16n8k8".
#pragma once

namespace cudabook::ptx {

/// sums += a b, where the lanes of a warp together hold A (16×8) and B (8×8), in TF32. A lane's elements of A
/// are in rows lane / 4 (a[0], a[2]) and lane / 4 + 8 (a[1], a[3]), in columns lane % 4 (a[0], a[1]) and lane
/// % 4 + 4 (a[2], a[3]). Its elements of B are in rows lane % 4 (b0) and lane % 4 + 4 (b1), in column lane /
/// 4. Its sums are in rows lane / 4 (sums[0], sums[1]) and lane / 4 + 8 (sums[2], sums[3]), in columns lane %
/// 4 * 2 and lane % 4 * 2 + 1.
__device__ inline void multiply_16x8x8(float (&sums)[4], const float (&a)[4], float b0, float b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

}  // namespace cudabook::ptx
