// The tensor cores' matrix product of a warp. Source: PTX ISA, "mma", "Matrix Fragments for mma.m16n8k8".
#pragma once

namespace cudabook::ptx {

/// sums += A B in TF32. The lanes of a warp together hold A (16×8), B (8×8) and the sums (16×8). With
/// r = lane / 4 and c = lane % 4, the elements that a lane holds are at these places (row, column):
/// a[0] to a[3] at (r, c), (r + 8, c), (r, c + 4) and (r + 8, c + 4);
/// b0 and b1 at (c, r) and (c + 4, r);
/// sums[0] to sums[3] at (r, 2 c), (r, 2 c + 1), (r + 8, 2 c) and (r + 8, 2 c + 1).
__device__ inline void multiply_16x8x8(float (&sums)[4], const float (&a)[4], float b0, float b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

}  // namespace cudabook::ptx
