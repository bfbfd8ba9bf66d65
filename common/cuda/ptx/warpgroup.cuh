// Matrix products of a warpgroup, which is 4 warps, and how many registers its threads have: compute
// capability 9.0, target sm_90a. Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
// Instructions" and "setmaxnreg".
#pragma once

#include <cstdint>

#include "common/cuda/ptx/shared_address.cuh"

namespace cudabook::ptx {

/// The descriptor of a matrix in shared memory. It consists of core matrices, each of 8 consecutive rows of
/// 16 bytes: `depth_bytes` from one to the next along k, `side_bytes` from one to the next across.
__device__ inline std::uint64_t describe(const void* shared, std::uint64_t depth_bytes,
                                         std::uint64_t side_bytes) {
    return (shared_address(shared) >> 4U & 0x3fffU) | depth_bytes >> 4U << 16U | side_bytes >> 4U << 32U;
}

/// Sets how many registers each thread of this warpgroup has: fewer, or more of those that others gave up.
template <int registers>
__device__ void shrink_to() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ void grow_to() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ inline void await_products() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

/// d = a b, or d += a b where `add`: 64×8 by 8×128 elements in TF32. A warp has 16 rows of A and of D in
/// registers; B is in shared memory.
__device__ inline void multiply(float (&d)[64], const float (&a)[4], std::uint64_t b, bool add) {
    asm volatile(
        "{\n"
        ".reg .pred add;\n"
        "setp.ne.b32 add, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "{%64, %65, %66, %67}, %68, add, 1, 1;\n"
        "}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),
          "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
          "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]),
          "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
          "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]),
          "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),
          "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "l"(b), "r"(static_cast<int>(add)));
}

}  // namespace cudabook::ptx
