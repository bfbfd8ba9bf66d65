// The tensor cores' instruction of a warp. Source: PTX ISA, "mma", "Matrix Fragments for mma.m16n8k8".
#pragma once

namespace cudabook::ptx {

/// sums += a b, where the lanes of a warp hold 16×8 elements of A and 8×8 of B together, in TF32. The lane's
/// elements of A are in row lane / 4, or eight below it (a[1], a[3]), and in column lane % 4, or four beyond
/// it (a[2], a[3]); b0 in row lane % 4 and column lane / 4, b1 four rows below it; of the sums in row lane /
/// 4, or eight below it (sums[2], sums[3]), columns lane % 4 * 2 and the next.
__device__ inline void multiply_16x8x8(float (&sums)[4], const float (&a)[4], float b0, float b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

}  // namespace cudabook::ptx
