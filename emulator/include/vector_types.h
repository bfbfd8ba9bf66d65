// CUDA's vector types, with CUDA's sizes and alignments. Source: CUDA C++ Programming Guide, "Built-in Vector
// Types".
#pragma once

#define CUDABOOK_VECTORS(name, Element, pair_alignment, four_alignment)                     \
    struct name##1 {                                                                        \
        Element x;                                                                          \
    };                                                                                      \
    struct alignas(pair_alignment) name##2 {                                                \
        Element x, y;                                                                       \
    };                                                                                      \
    struct name##3 {                                                                        \
        Element x, y, z;                                                                    \
    };                                                                                      \
    struct alignas(four_alignment) name##4 {                                                \
        Element x, y, z, w;                                                                 \
    };                                                                                      \
    constexpr name##1 make_##name##1(Element x) { return {x}; }                             \
    constexpr name##2 make_##name##2(Element x, Element y) { return {x, y}; }               \
    constexpr name##3 make_##name##3(Element x, Element y, Element z) { return {x, y, z}; } \
    constexpr name##4 make_##name##4(Element x, Element y, Element z, Element w) { return {x, y, z, w}; }

CUDABOOK_VECTORS(char, signed char, 2, 4)
CUDABOOK_VECTORS(uchar, unsigned char, 2, 4)
CUDABOOK_VECTORS(short, short, 4, 8)
CUDABOOK_VECTORS(ushort, unsigned short, 4, 8)
CUDABOOK_VECTORS(int, int, 8, 16)
CUDABOOK_VECTORS(uint, unsigned int, 8, 16)
CUDABOOK_VECTORS(long, long, 2 * sizeof(long), 16)
CUDABOOK_VECTORS(ulong, unsigned long, 2 * sizeof(long), 16)
CUDABOOK_VECTORS(longlong, long long, 16, 16)
CUDABOOK_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDABOOK_VECTORS(float, float, 8, 16)
CUDABOOK_VECTORS(double, double, 16, 16)
#undef CUDABOOK_VECTORS

// The types of CUDA 13 whose names say their alignment.
#define CUDABOOK_ALIGNED_FOUR(name, Element, bytes)                                                      \
    struct alignas(bytes) name##4_##bytes##a {                                                           \
        Element x, y, z, w;                                                                              \
    };                                                                                                   \
    constexpr name##4_##bytes##a make_##name##4_##bytes##a(Element x, Element y, Element z, Element w) { \
        return {x, y, z, w};                                                                             \
    }

CUDABOOK_ALIGNED_FOUR(long, long, 16)
CUDABOOK_ALIGNED_FOUR(long, long, 32)
CUDABOOK_ALIGNED_FOUR(ulong, unsigned long, 16)
CUDABOOK_ALIGNED_FOUR(ulong, unsigned long, 32)
CUDABOOK_ALIGNED_FOUR(longlong, long long, 16)
CUDABOOK_ALIGNED_FOUR(longlong, long long, 32)
CUDABOOK_ALIGNED_FOUR(ulonglong, unsigned long long, 16)
CUDABOOK_ALIGNED_FOUR(ulonglong, unsigned long long, 32)
CUDABOOK_ALIGNED_FOUR(double, double, 16)
CUDABOOK_ALIGNED_FOUR(double, double, 32)
#undef CUDABOOK_ALIGNED_FOUR

/// The size of a grid or a block. Sizes that are not given are 1.
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_size = 1, unsigned y_size = 1, unsigned z_size = 1)
        : x(x_size), y(y_size), z(z_size) {}
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
