// Operations on the two halfwords or the four bytes of a word, and the instructions of dynamic programming
// (DPX). In names, s is signed, u unsigned, and ss and us saturate. Source: CUDA Math API, "SIMD Intrinsics".
#pragma once

#include <limits>

namespace cudabook::emulation {

/// Applies the operation to the words' parts of type T. Returns the results, each cut to a T, in one word.
template <class T, class Operation, class... Words>
unsigned by_parts(Operation operation, Words... words) {
    constexpr int bits = 8 * sizeof(T);
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        const int of_part = operation(int{static_cast<T>(words >> shift)}...);
        result |= (static_cast<unsigned>(of_part) & ((1U << bits) - 1)) << shift;
    }
    return result;
}

/// Returns the sum of the absolute differences of the words' parts.
template <class T>
unsigned sum_of_differences(unsigned a, unsigned b) {
    int sum = 0;
    for (int shift = 0; shift < 32; shift += static_cast<int>(8 * sizeof(T))) {
        const int difference = static_cast<T>(a >> shift) - static_cast<T>(b >> shift);
        sum += difference < 0 ? -difference : difference;
    }
    return static_cast<unsigned>(sum);
}

template <class T>
int saturated_to(int value) {
    constexpr int least = std::numeric_limits<T>::min();
    constexpr int most = std::numeric_limits<T>::max();
    return value < least ? least : value > most ? most : value;
}

template <class T>
T lesser(T a, T b) {
    return b < a ? b : a;
}
template <class T>
T greater(T a, T b) {
    return a < b ? b : a;
}
/// These return the greater or the lesser of a and b, and set `is_first` to true if the result is a.
template <class T>
T greater_or_equal(T a, T b, bool* is_first) {
    *is_first = a >= b;
    return greater(a, b);
}
template <class T>
T less_or_equal(T a, T b, bool* is_first) {
    *is_first = a <= b;
    return lesser(a, b);
}
template <class T, class Choose>
unsigned chosen_parts(unsigned a, unsigned b, bool* high_is_first, bool* low_is_first, Choose choose) {
    bool* is_first = low_is_first;
    return by_parts<T>(
        [&](int x, int y) {
            bool* const mine = is_first;
            is_first = high_is_first;
            return choose(x, y, mine);
        },
        a, b);
}

}  // namespace cudabook::emulation

#define CUDABOOK_OF_PARTS(name, Halfword, Byte, expression)                                          \
    inline unsigned __v##name##2(unsigned a, unsigned b) {                                           \
        using T = Halfword;                                                                          \
        return cudabook::emulation::by_parts<T>([](int x, int y) { return int{expression}; }, a, b); \
    }                                                                                                \
    inline unsigned __v##name##4(unsigned a, unsigned b) {                                           \
        using T = Byte;                                                                              \
        return cudabook::emulation::by_parts<T>([](int x, int y) { return int{expression}; }, a, b); \
    }
#define CUDABOOK_SIGNED(name, expression) CUDABOOK_OF_PARTS(name, short, signed char, expression)
#define CUDABOOK_UNSIGNED(name, expression) CUDABOOK_OF_PARTS(name, unsigned short, unsigned char, expression)

CUDABOOK_UNSIGNED(add, x + y)
CUDABOOK_SIGNED(addss, cudabook::emulation::saturated_to<T>(x + y))
CUDABOOK_UNSIGNED(addus, cudabook::emulation::saturated_to<T>(x + y))
CUDABOOK_UNSIGNED(sub, x - y)
CUDABOOK_SIGNED(subss, cudabook::emulation::saturated_to<T>(x - y))
CUDABOOK_UNSIGNED(subus, cudabook::emulation::saturated_to<T>(x - y))
CUDABOOK_SIGNED(absdiffs, x < y ? y - x : x - y)
CUDABOOK_UNSIGNED(absdiffu, x < y ? y - x : x - y)
// A signed mean is rounded to nearest, ties away from zero. Source: PTX ISA, "vavrg2".
CUDABOOK_SIGNED(avgs, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
CUDABOOK_UNSIGNED(avgu, (x + y + 1) >> 1)
CUDABOOK_UNSIGNED(haddu, (x + y) >> 1)
CUDABOOK_SIGNED(maxs, cudabook::emulation::greater(x, y))
CUDABOOK_UNSIGNED(maxu, cudabook::emulation::greater(x, y))
CUDABOOK_SIGNED(mins, cudabook::emulation::lesser(x, y))
CUDABOOK_UNSIGNED(minu, cudabook::emulation::lesser(x, y))

// If the comparison is true, all bits of the part are set (cmp), or the part is 1 (set). Else it is 0.
#define CUDABOOK_COMPARED(name, signedness, comparison)     \
    CUDABOOK_##signedness(cmp##name, (comparison) ? -1 : 0) \
        CUDABOOK_##signedness(set##name, (comparison) ? 1 : 0)
CUDABOOK_COMPARED(eq, UNSIGNED, x == y)
CUDABOOK_COMPARED(ne, UNSIGNED, x != y)
CUDABOOK_COMPARED(ges, SIGNED, x >= y)
CUDABOOK_COMPARED(geu, UNSIGNED, x >= y)
CUDABOOK_COMPARED(gts, SIGNED, x > y)
CUDABOOK_COMPARED(gtu, UNSIGNED, x > y)
CUDABOOK_COMPARED(les, SIGNED, x <= y)
CUDABOOK_COMPARED(leu, UNSIGNED, x <= y)
CUDABOOK_COMPARED(lts, SIGNED, x < y)
CUDABOOK_COMPARED(ltu, UNSIGNED, x < y)
#undef CUDABOOK_COMPARED
#undef CUDABOOK_UNSIGNED
#undef CUDABOOK_SIGNED
#undef CUDABOOK_OF_PARTS

inline unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
inline unsigned __vneg4(unsigned a) { return __vsub4(0, a); }
inline unsigned __vnegss2(unsigned a) { return __vsubss2(0, a); }
inline unsigned __vnegss4(unsigned a) { return __vsubss4(0, a); }
inline unsigned __vabs2(unsigned a) { return __vabsdiffs2(a, 0); }
inline unsigned __vabs4(unsigned a) { return __vabsdiffs4(a, 0); }
inline unsigned __vabsss2(unsigned a) { return __vmaxs2(a, __vnegss2(a)); }
inline unsigned __vabsss4(unsigned a) { return __vmaxs4(a, __vnegss4(a)); }

inline unsigned __vsads2(unsigned a, unsigned b) {
    return cudabook::emulation::sum_of_differences<short>(a, b);
}
inline unsigned __vsads4(unsigned a, unsigned b) {
    return cudabook::emulation::sum_of_differences<signed char>(a, b);
}
inline unsigned __vsadu2(unsigned a, unsigned b) {
    return cudabook::emulation::sum_of_differences<unsigned short>(a, b);
}
inline unsigned __vsadu4(unsigned a, unsigned b) {
    return cudabook::emulation::sum_of_differences<unsigned char>(a, b);
}

// ----- Dynamic programming. Sums wrap around. For names with relu, 0 replaces a negative result.

#define CUDABOOK_DPX(extreme, choose, with_first)                                                       \
    inline int __viadd##extreme##_s32(int a, int b, int c) {                                            \
        return cudabook::emulation::choose(                                                             \
            static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);                  \
    }                                                                                                   \
    inline unsigned __viadd##extreme##_u32(unsigned a, unsigned b, unsigned c) {                        \
        return cudabook::emulation::choose(a + b, c);                                                   \
    }                                                                                                   \
    inline unsigned __viadd##extreme##_s16x2(unsigned a, unsigned b, unsigned c) {                      \
        return __v##extreme##s2(__vadd2(a, b), c);                                                      \
    }                                                                                                   \
    inline unsigned __viadd##extreme##_u16x2(unsigned a, unsigned b, unsigned c) {                      \
        return __v##extreme##u2(__vadd2(a, b), c);                                                      \
    }                                                                                                   \
    inline int __viadd##extreme##_s32_relu(int a, int b, int c) {                                       \
        return cudabook::emulation::greater(__viadd##extreme##_s32(a, b, c), 0);                        \
    }                                                                                                   \
    inline unsigned __viadd##extreme##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                 \
        return __vmaxs2(__viadd##extreme##_s16x2(a, b, c), 0);                                          \
    }                                                                                                   \
    inline int __vi##extreme##3_s32(int a, int b, int c) {                                              \
        return cudabook::emulation::choose(cudabook::emulation::choose(a, b), c);                       \
    }                                                                                                   \
    inline unsigned __vi##extreme##3_u32(unsigned a, unsigned b, unsigned c) {                          \
        return cudabook::emulation::choose(cudabook::emulation::choose(a, b), c);                       \
    }                                                                                                   \
    inline unsigned __vi##extreme##3_s16x2(unsigned a, unsigned b, unsigned c) {                        \
        return __v##extreme##s2(__v##extreme##s2(a, b), c);                                             \
    }                                                                                                   \
    inline unsigned __vi##extreme##3_u16x2(unsigned a, unsigned b, unsigned c) {                        \
        return __v##extreme##u2(__v##extreme##u2(a, b), c);                                             \
    }                                                                                                   \
    inline int __vi##extreme##3_s32_relu(int a, int b, int c) {                                         \
        return cudabook::emulation::greater(__vi##extreme##3_s32(a, b, c), 0);                          \
    }                                                                                                   \
    inline unsigned __vi##extreme##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {                   \
        return __vmaxs2(__vi##extreme##3_s16x2(a, b, c), 0);                                            \
    }                                                                                                   \
    inline int __vi##extreme##_s32_relu(int a, int b) {                                                 \
        return cudabook::emulation::greater(cudabook::emulation::choose(a, b), 0);                      \
    }                                                                                                   \
    inline unsigned __vi##extreme##_s16x2_relu(unsigned a, unsigned b) {                                \
        return __vmaxs2(__v##extreme##s2(a, b), 0);                                                     \
    }                                                                                                   \
    inline int __vib##extreme##_s32(int a, int b, bool* is_first) {                                     \
        return cudabook::emulation::with_first(a, b, is_first);                                         \
    }                                                                                                   \
    inline unsigned __vib##extreme##_u32(unsigned a, unsigned b, bool* is_first) {                      \
        return cudabook::emulation::with_first(a, b, is_first);                                         \
    }                                                                                                   \
    inline unsigned __vib##extreme##_s16x2(unsigned a, unsigned b, bool* high_is_first,                 \
                                           bool* low_is_first) {                                        \
        return cudabook::emulation::chosen_parts<short>(a, b, high_is_first, low_is_first,              \
                                                        cudabook::emulation::with_first<int>);          \
    }                                                                                                   \
    inline unsigned __vib##extreme##_u16x2(unsigned a, unsigned b, bool* high_is_first,                 \
                                           bool* low_is_first) {                                        \
        return cudabook::emulation::chosen_parts<unsigned short>(a, b, high_is_first, low_is_first,     \
                                                                 cudabook::emulation::with_first<int>); \
    }
CUDABOOK_DPX(max, greater, greater_or_equal)
CUDABOOK_DPX(min, lesser, less_or_equal)
#undef CUDABOOK_DPX
