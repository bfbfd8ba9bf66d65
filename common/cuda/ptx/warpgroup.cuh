// Matrix products of a warpgroup, which is 4 warps, and the number of registers of its threads: compute
// capability 9.0, target sm_90a. Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
// Instructions" and "setmaxnreg".
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/cuda/ptx/shared_address.cuh"

namespace cudabook::ptx {

/// The descriptor of a matrix in shared memory. The matrix consists of core matrices, each of 8 consecutive
/// rows of 16 bytes. Core matrices that are neighbours along k are `depth_bytes` apart. Core matrices that
/// are neighbours in the other direction are `side_bytes` apart.
__device__ inline std::uint64_t describe(const void* shared, std::uint64_t depth_bytes,
                                         std::uint64_t side_bytes) {
    return (shared_address(shared) >> 4U & 0x3fffU) | depth_bytes >> 4U << 16U | side_bytes >> 4U << 32U;
}

/// Sets the number of registers of each thread of this warpgroup. shrink_to() gives registers up; grow_to()
/// takes registers that other warpgroups gave up.
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
/// await_products() waits for all products, await_products_before_last() for all but the last group. Then
/// their sums are in the registers, and their operands are no longer read.
__device__ inline void await_products() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ inline void await_products_before_last() {
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
}

// multiply<Element>(d, a, b, add) computes D = A B or, if `add`, D += A B, asynchronously. A has 64 rows, B
// has 64, 128 or 256 columns; both are in shared memory. A core matrix has 8 rows of A or 8 columns of B.
// Along k, a float product (TF32) has 8 elements, a __half product 16. A lane of warp w holds in d[4 j + e]
// the element of D in row 16 w + lane / 4 + (e < 2 ? 0 : 8) and column 8 j + 2 (lane % 4) + e % 2.

// The instruction. Its operands are the sums, the two descriptors and the flag `add`.
#define CUDABOOK_WGMMA(shape_and_types, sums, a_b, adds, ends) \
    "{\n.reg .pred add;\nsetp.ne.b32 add, " adds               \
    ", 0;\n"                                                   \
    "wgmma.mma_async.sync.aligned." shape_and_types " {" sums "}, " a_b ", add" ends ";\n}"
#define CUDABOOK_FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define CUDABOOK_32(d, i)                                                                            \
    CUDABOOK_FOUR(d, i), CUDABOOK_FOUR(d, i + 4), CUDABOOK_FOUR(d, i + 8), CUDABOOK_FOUR(d, i + 12), \
        CUDABOOK_FOUR(d, i + 16), CUDABOOK_FOUR(d, i + 20), CUDABOOK_FOUR(d, i + 24),                \
        CUDABOOK_FOUR(d, i + 28)
#define CUDABOOK_NAMES_32                                                    \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define CUDABOOK_NAMES_64                                                              \
    CUDABOOK_NAMES_32                                                                  \
    ", "                                                                               \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define CUDABOOK_NAMES_128                                                                         \
    CUDABOOK_NAMES_64                                                                              \
    ", "                                                                                           \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "             \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

template <class Element>
__device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, bool add) {
    if constexpr (std::is_same_v<Element, float>)
        asm volatile(CUDABOOK_WGMMA("m64n64k8.f32.tf32.tf32", CUDABOOK_NAMES_32, "%32, %33", "%34", ", 1, 1")
                     : CUDABOOK_32(d, 0)
                     : "l"(a), "l"(b), "r"(static_cast<int>(add)));
    else
        asm volatile(
            CUDABOOK_WGMMA("m64n64k16.f32.f16.f16", CUDABOOK_NAMES_32, "%32, %33", "%34", ", 1, 1, 0, 0")
            : CUDABOOK_32(d, 0)
            : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

template <class Element>
__device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, bool add) {
    if constexpr (std::is_same_v<Element, float>)
        asm volatile(CUDABOOK_WGMMA("m64n128k8.f32.tf32.tf32", CUDABOOK_NAMES_64, "%64, %65", "%66", ", 1, 1")
                     : CUDABOOK_32(d, 0), CUDABOOK_32(d, 32)
                     : "l"(a), "l"(b), "r"(static_cast<int>(add)));
    else
        asm volatile(
            CUDABOOK_WGMMA("m64n128k16.f32.f16.f16", CUDABOOK_NAMES_64, "%64, %65", "%66", ", 1, 1, 0, 0")
            : CUDABOOK_32(d, 0), CUDABOOK_32(d, 32)
            : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

template <class Element>
__device__ void multiply(float (&d)[128], std::uint64_t a, std::uint64_t b, bool add) {
    if constexpr (std::is_same_v<Element, float>)
        asm volatile(
            CUDABOOK_WGMMA("m64n256k8.f32.tf32.tf32", CUDABOOK_NAMES_128, "%128, %129", "%130", ", 1, 1")
            : CUDABOOK_32(d, 0), CUDABOOK_32(d, 32), CUDABOOK_32(d, 64), CUDABOOK_32(d, 96)
            : "l"(a), "l"(b), "r"(static_cast<int>(add)));
    else
        asm volatile(
            CUDABOOK_WGMMA("m64n256k16.f32.f16.f16", CUDABOOK_NAMES_128, "%128, %129", "%130", ", 1, 1, 0, 0")
            : CUDABOOK_32(d, 0), CUDABOOK_32(d, 32), CUDABOOK_32(d, 64), CUDABOOK_32(d, 96)
            : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

#undef CUDABOOK_WGMMA
#undef CUDABOOK_FOUR
#undef CUDABOOK_32
#undef CUDABOOK_NAMES_32
#undef CUDABOOK_NAMES_64
#undef CUDABOOK_NAMES_128

}  // namespace cudabook::ptx
