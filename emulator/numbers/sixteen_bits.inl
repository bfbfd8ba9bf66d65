// The 16-bit type CUDABOOK_NUMBER, its pair CUDABOOK_PAIR, and their functions. A function has the same name
// for each such type or, by CUDABOOK_NAMED(before, after), a name that contains the type's name. cuda_fp16.h
// and cuda_bf16.h define these macros, CUDABOOK_RAW and CUDABOOK_RAW_PAIR.
//
// Each operation is rounded once, to nearest, ties to even, unless its name says something else. This is
// true also of exponentials, sines and other functions that are approximate on a GPU. If an operation's
// result is NaN, it is 0x7fff. Operators are never fused with each other.

struct alignas(2) CUDABOOK_RAW {
    unsigned short x;
};
struct alignas(4) CUDABOOK_RAW_PAIR {
    unsigned short x, y;
};

class alignas(2) CUDABOOK_NUMBER {
  public:
    CUDABOOK_NUMBER() = default;
    constexpr CUDABOOK_NUMBER(CUDABOOK_RAW raw) : bits_(raw.x) {}
    CUDABOOK_NUMBER(float value)
        : CUDABOOK_NUMBER(cudabook::emulation::narrowed<CUDABOOK_NUMBER>(double{value})) {}
    CUDABOOK_NUMBER(double value);
    template <class T>
    requires std::is_integral_v<T> CUDABOOK_NUMBER(T value)
        : CUDABOOK_NUMBER(cudabook::emulation::narrowed<CUDABOOK_NUMBER>(value)) {}
    explicit CUDABOOK_NUMBER(CUDABOOK_OTHER_NUMBER other);

    constexpr operator CUDABOOK_RAW() const { return {bits_}; }
    operator float() const { return cudabook::emulation::SixteenBits<CUDABOOK_NUMBER>::value(bits_); }
    operator bool() const { return (bits_ & 0x7fff) != 0; }
    /// Rounds towards zero, and clamps to T's range. NaN becomes what __float2int_rz() and similar
    /// functions return for NaN.
    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) operator T() const {
        return cudabook::emulation::to_integer<T>(std::trunc(static_cast<float>(*this)));
    }

  private:
    std::uint16_t bits_;
};

struct alignas(4) CUDABOOK_PAIR {
    CUDABOOK_NUMBER x, y;

    CUDABOOK_PAIR() = default;
    constexpr CUDABOOK_PAIR(CUDABOOK_NUMBER first, CUDABOOK_NUMBER second) : x(first), y(second) {}
    constexpr CUDABOOK_PAIR(CUDABOOK_RAW_PAIR raw) : x(CUDABOOK_RAW{raw.x}), y(CUDABOOK_RAW{raw.y}) {}
    constexpr operator CUDABOOK_RAW_PAIR() const {
        return {static_cast<CUDABOOK_RAW>(x).x, static_cast<CUDABOOK_RAW>(y).x};
    }
};

// ----- Conversions: n rounds to nearest, z towards zero, d down, u up. A value out of an integer's range
// gives the nearest value in it. For NaN see to_integer().

inline CUDABOOK_NUMBER CUDABOOK_NAMED(__ushort_as_, )(unsigned short bits) { return CUDABOOK_RAW{bits}; }
inline CUDABOOK_NUMBER CUDABOOK_NAMED(__short_as_, )(short bits) {
    return CUDABOOK_RAW{static_cast<unsigned short>(bits)};
}
inline unsigned short CUDABOOK_NAMED(__, _as_ushort)(CUDABOOK_NUMBER x) {
    return static_cast<CUDABOOK_RAW>(x).x;
}
inline short CUDABOOK_NAMED(__, _as_short)(CUDABOOK_NUMBER x) {
    return static_cast<short>(static_cast<CUDABOOK_RAW>(x).x);
}

inline float CUDABOOK_NAMED(__, 2float)(CUDABOOK_NUMBER x) { return x; }
inline CUDABOOK_NUMBER CUDABOOK_NAMED(__float2, )(float x) { return x; }
inline CUDABOOK_NUMBER CUDABOOK_NAMED(__double2, )(double x) { return x; }

#define CUDABOOK_ROUNDED(letter, rounding)                                                                 \
    inline CUDABOOK_NUMBER CUDABOOK_NAMED(__float2, _r##letter)(float x) {                                 \
        return cudabook::emulation::narrowed<CUDABOOK_NUMBER, cudabook::emulation::Rounding::rounding>(x); \
    }
CUDABOOK_ROUNDED(n, nearest)
CUDABOOK_ROUNDED(z, zero)
CUDABOOK_ROUNDED(d, down)
CUDABOOK_ROUNDED(u, up)
#undef CUDABOOK_ROUNDED

#define CUDABOOK_ROUNDED(T, type, letter, rounding, integral)                                       \
    inline CUDABOOK_NUMBER CUDABOOK_NAMED(__##type##2, _r##letter)(T x) {                           \
        return cudabook::emulation::number_of<CUDABOOK_NUMBER>(                                     \
            cudabook::emulation::rounded<cudabook::emulation::SixteenBits<CUDABOOK_NUMBER>::Format, \
                                         cudabook::emulation::Rounding::rounding>(x));              \
    }                                                                                               \
    inline T CUDABOOK_NAMED(__, 2##type##_r##letter)(CUDABOOK_NUMBER x) {                           \
        return cudabook::emulation::to_integer<T>(integral(static_cast<float>(x)));                 \
    }
#define CUDABOOK_INTEGER(T, type)                         \
    CUDABOOK_ROUNDED(T, type, n, nearest, std::nearbyint) \
    CUDABOOK_ROUNDED(T, type, z, zero, std::trunc)        \
    CUDABOOK_ROUNDED(T, type, d, down, std::floor)        \
    CUDABOOK_ROUNDED(T, type, u, up, std::ceil)
CUDABOOK_INTEGER(short, short)
CUDABOOK_INTEGER(unsigned short, ushort)
CUDABOOK_INTEGER(int, int)
CUDABOOK_INTEGER(unsigned, uint)
CUDABOOK_INTEGER(long long, ll)
CUDABOOK_INTEGER(unsigned long long, ull)
#undef CUDABOOK_INTEGER
#undef CUDABOOK_ROUNDED
inline signed char CUDABOOK_NAMED(__, 2char_rz)(CUDABOOK_NUMBER x) { return static_cast<signed char>(x); }
inline unsigned char CUDABOOK_NAMED(__, 2uchar_rz)(CUDABOOK_NUMBER x) {
    return static_cast<unsigned char>(x);
}

// ----- Pairs, and their parts

inline CUDABOOK_PAIR CUDABOOK_NAMED(make_, 2)(CUDABOOK_NUMBER x, CUDABOOK_NUMBER y) { return {x, y}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__halves2, 2)(CUDABOOK_NUMBER x, CUDABOOK_NUMBER y) { return {x, y}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__float2, 2_rn)(float x) { return {x, x}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__floats2, 2_rn)(float x, float y) { return {x, y}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__float22, 2_rn)(float2 pair) { return {pair.x, pair.y}; }
inline float2 CUDABOOK_NAMED(__, 22float2)(CUDABOOK_PAIR pair) { return {pair.x, pair.y}; }
inline CUDABOOK_NUMBER CUDABOOK_NAMED(__low2, )(CUDABOOK_PAIR pair) { return pair.x; }
inline CUDABOOK_NUMBER CUDABOOK_NAMED(__high2, )(CUDABOOK_PAIR pair) { return pair.y; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__low2, 2)(CUDABOOK_PAIR pair) { return {pair.x, pair.x}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__high2, 2)(CUDABOOK_PAIR pair) { return {pair.y, pair.y}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__lows2, 2)(CUDABOOK_PAIR a, CUDABOOK_PAIR b) { return {a.x, b.x}; }
inline CUDABOOK_PAIR CUDABOOK_NAMED(__highs2, 2)(CUDABOOK_PAIR a, CUDABOOK_PAIR b) { return {a.y, b.y}; }
inline CUDABOOK_PAIR __lowhigh2highlow(CUDABOOK_PAIR pair) { return {pair.y, pair.x}; }
inline float __low2float(CUDABOOK_PAIR pair) { return pair.x; }
inline float __high2float(CUDABOOK_PAIR pair) { return pair.y; }

// ----- Classes and comparisons. A comparison with NaN is true if the name ends in u, else false. For
// pairs, __heq2() returns 1 or 0 for each number, __heq2_mask() 0xffff or 0 for each number, and __hbeq2()
// whether both numbers are equal. The other comparisons have the same three forms.

inline bool __hisnan(CUDABOOK_NUMBER x) { return std::isnan(static_cast<float>(x)); }
inline int __hisinf(CUDABOOK_NUMBER x) {
    const float value = x;
    return !std::isinf(value) ? 0 : value < 0 ? -1 : 1;
}
inline CUDABOOK_PAIR __hisnan2(CUDABOOK_PAIR x) { return {__hisnan(x.x) ? 1 : 0, __hisnan(x.y) ? 1 : 0}; }

#define CUDABOOK_COMPARED(name, comparison)                                                  \
    inline bool __h##name(CUDABOOK_NUMBER a, CUDABOOK_NUMBER b) {                            \
        const float x = a;                                                                   \
        const float y = b;                                                                   \
        return comparison;                                                                   \
    }                                                                                        \
    inline CUDABOOK_PAIR __h##name##2(CUDABOOK_PAIR a, CUDABOOK_PAIR b) {                    \
        return {__h##name(a.x, b.x) ? 1 : 0, __h##name(a.y, b.y) ? 1 : 0};                   \
    }                                                                                        \
    inline unsigned __h##name##2_mask(CUDABOOK_PAIR a, CUDABOOK_PAIR b) {                    \
        return (__h##name(a.x, b.x) ? 0xffffU : 0) | (__h##name(a.y, b.y) ? 0xffff0000 : 0); \
    }                                                                                        \
    inline bool __hb##name##2(CUDABOOK_PAIR a, CUDABOOK_PAIR b) {                            \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                   \
    }
CUDABOOK_COMPARED(eq, x == y)
CUDABOOK_COMPARED(ne, x<y || x> y)
CUDABOOK_COMPARED(lt, x < y)
CUDABOOK_COMPARED(le, x <= y)
CUDABOOK_COMPARED(gt, x > y)
CUDABOOK_COMPARED(ge, x >= y)
CUDABOOK_COMPARED(equ, !(x < y || x > y))
CUDABOOK_COMPARED(neu, x != y)
CUDABOOK_COMPARED(ltu, !(x >= y))
CUDABOOK_COMPARED(leu, !(x > y))
CUDABOOK_COMPARED(gtu, !(x <= y))
CUDABOOK_COMPARED(geu, !(x < y))
#undef CUDABOOK_COMPARED

// ----- Arithmetic

#define CUDABOOK_UNARY(name, pair_name, operation)                       \
    inline CUDABOOK_NUMBER name(CUDABOOK_NUMBER x) { return operation; } \
    inline CUDABOOK_PAIR pair_name(CUDABOOK_PAIR x) { return {name(x.x), name(x.y)}; }
#define CUDABOOK_BINARY(name, pair_name, operation)                                         \
    inline CUDABOOK_NUMBER name(CUDABOOK_NUMBER x, CUDABOOK_NUMBER y) { return operation; } \
    inline CUDABOOK_PAIR pair_name(CUDABOOK_PAIR x, CUDABOOK_PAIR y) {                      \
        return {name(x.x, y.x), name(x.y, y.y)};                                            \
    }
#define CUDABOOK_TERNARY(name, pair_name, operation)                                       \
    inline CUDABOOK_NUMBER name(CUDABOOK_NUMBER x, CUDABOOK_NUMBER y, CUDABOOK_NUMBER z) { \
        return operation;                                                                  \
    }                                                                                      \
    inline CUDABOOK_PAIR pair_name(CUDABOOK_PAIR x, CUDABOOK_PAIR y, CUDABOOK_PAIR z) {    \
        return {name(x.x, y.x, z.x), name(x.y, y.y, z.y)};                                 \
    }
#define CUDABOOK_ONCE(value) (cudabook::emulation::narrowed<CUDABOOK_NUMBER>(value))
#define CUDABOOK_VALUE(x) (cudabook::emulation::value_of(x))

CUDABOOK_BINARY(__hadd, __hadd2,
                CUDABOOK_ONCE(cudabook::emulation::sum_to_odd(CUDABOOK_VALUE(x), CUDABOOK_VALUE(y))))
CUDABOOK_BINARY(__hsub, __hsub2,
                CUDABOOK_ONCE(cudabook::emulation::sum_to_odd(CUDABOOK_VALUE(x), -CUDABOOK_VALUE(y))))
CUDABOOK_BINARY(__hmul, __hmul2, CUDABOOK_ONCE(CUDABOOK_VALUE(x) * CUDABOOK_VALUE(y)))  // exact in double
CUDABOOK_BINARY(__hdiv, __h2div,
                CUDABOOK_ONCE(cudabook::emulation::quotient_to_odd(CUDABOOK_VALUE(x), CUDABOOK_VALUE(y))))
CUDABOOK_TERNARY(__hfma, __hfma2,
                 CUDABOOK_ONCE(cudabook::emulation::sum_to_odd(CUDABOOK_VALUE(x) * CUDABOOK_VALUE(y),
                                                               CUDABOOK_VALUE(z))))
CUDABOOK_UNARY(__hneg, __hneg2,
               cudabook::emulation::number_of<CUDABOOK_NUMBER>(cudabook::emulation::bits_of(x) ^ 0x8000U))
CUDABOOK_UNARY(__habs, __habs2,
               cudabook::emulation::number_of<CUDABOOK_NUMBER>(cudabook::emulation::bits_of(x) & 0x7fffU))

// On a GPU, the compiler does not fuse these with other operations.
CUDABOOK_BINARY(__hadd_rn, __hadd2_rn, __hadd(x, y))
CUDABOOK_BINARY(__hsub_rn, __hsub2_rn, __hsub(x, y))
CUDABOOK_BINARY(__hmul_rn, __hmul2_rn, __hmul(x, y))

// Names with sat: the result is clamped to 0 ... 1, and NaN becomes 0. Names with relu: at least 0.
CUDABOOK_BINARY(__hadd_sat, __hadd2_sat, cudabook::emulation::saturated(__hadd(x, y)))
CUDABOOK_BINARY(__hsub_sat, __hsub2_sat, cudabook::emulation::saturated(__hsub(x, y)))
CUDABOOK_BINARY(__hmul_sat, __hmul2_sat, cudabook::emulation::saturated(__hmul(x, y)))
CUDABOOK_TERNARY(__hfma_sat, __hfma2_sat, cudabook::emulation::saturated(__hfma(x, y, z)))

// The result for a number and NaN is the number or, for names with _nan, NaN. -0 is less than +0.
CUDABOOK_BINARY(__hmax_nan, __hmax2_nan,
                __hisnan(x) || __hisnan(y) ? cudabook::emulation::number_of<CUDABOOK_NUMBER>(0x7fff)
                : cudabook::emulation::is_greater(x, y) ? x
                                                        : y)
CUDABOOK_BINARY(__hmin_nan, __hmin2_nan,
                __hisnan(x) || __hisnan(y) ? cudabook::emulation::number_of<CUDABOOK_NUMBER>(0x7fff)
                : cudabook::emulation::is_greater(x, y) ? y
                                                        : x)
CUDABOOK_BINARY(__hmax, __hmax2, __hisnan(x) == __hisnan(y) ? __hmax_nan(x, y) : __hisnan(x) ? y : x)
CUDABOOK_BINARY(__hmin, __hmin2, __hisnan(x) == __hisnan(y) ? __hmin_nan(x, y) : __hisnan(x) ? y : x)
CUDABOOK_TERNARY(__hfma_relu, __hfma2_relu,
                 __hmax_nan(__hfma(x, y, z), cudabook::emulation::number_of<CUDABOOK_NUMBER>(0)))

/// Returns a * b + c for complex numbers. Each part is computed by two operations.
inline CUDABOOK_PAIR __hcmadd(CUDABOOK_PAIR a, CUDABOOK_PAIR b, CUDABOOK_PAIR c) {
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

CUDABOOK_UNARY(hceil, h2ceil, CUDABOOK_ONCE(std::ceil(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hfloor, h2floor, CUDABOOK_ONCE(std::floor(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hrint, h2rint, CUDABOOK_ONCE(std::nearbyint(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(htrunc, h2trunc, CUDABOOK_ONCE(std::trunc(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hsqrt, h2sqrt, CUDABOOK_ONCE(cudabook::emulation::square_root_to_odd(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hrcp, h2rcp, CUDABOOK_ONCE(cudabook::emulation::quotient_to_odd(1, CUDABOOK_VALUE(x))))

// These are rounded twice, but no result in double is so near to the middle between two numbers that the
// rounding to double matters.
CUDABOOK_UNARY(hrsqrt, h2rsqrt, CUDABOOK_ONCE(1 / std::sqrt(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hexp, h2exp, CUDABOOK_ONCE(std::exp(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hexp2, h2exp2, CUDABOOK_ONCE(std::exp2(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hexp10, h2exp10, CUDABOOK_ONCE(std::pow(10.0, CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hlog, h2log, CUDABOOK_ONCE(std::log(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hlog2, h2log2, CUDABOOK_ONCE(std::log2(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hlog10, h2log10, CUDABOOK_ONCE(std::log10(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hcos, h2cos, CUDABOOK_ONCE(std::cos(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(hsin, h2sin, CUDABOOK_ONCE(std::sin(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(htanh, h2tanh, CUDABOOK_ONCE(std::tanh(CUDABOOK_VALUE(x))))
CUDABOOK_UNARY(htanh_approx, h2tanh_approx, htanh(x))

#undef CUDABOOK_VALUE
#undef CUDABOOK_ONCE
#undef CUDABOOK_TERNARY
#undef CUDABOOK_BINARY
#undef CUDABOOK_UNARY

// ----- Operators. A comparison of pairs returns whether it is true for both numbers.

#define CUDABOOK_OPERATORS(T, add, sub, mul, div, negative, compared, suffix)              \
    inline T operator+(const T& x, const T& y) { return add(x, y); }                       \
    inline T operator-(const T& x, const T& y) { return sub(x, y); }                       \
    inline T operator*(const T& x, const T& y) { return mul(x, y); }                       \
    inline T operator/(const T& x, const T& y) { return div(x, y); }                       \
    inline T& operator+=(T& x, const T& y) { return x = x + y; }                           \
    inline T& operator-=(T& x, const T& y) { return x = x - y; }                           \
    inline T& operator*=(T& x, const T& y) { return x = x * y; }                           \
    inline T& operator/=(T& x, const T& y) { return x = x / y; }                           \
    inline T operator+(const T& x) { return x; }                                           \
    inline T operator-(const T& x) { return negative(x); }                                 \
    inline bool operator==(const T& x, const T& y) { return compared##eq##suffix(x, y); }  \
    inline bool operator!=(const T& x, const T& y) { return compared##neu##suffix(x, y); } \
    inline bool operator<(const T& x, const T& y) { return compared##lt##suffix(x, y); }   \
    inline bool operator<=(const T& x, const T& y) { return compared##le##suffix(x, y); }  \
    inline bool operator>(const T& x, const T& y) { return compared##gt##suffix(x, y); }   \
    inline bool operator>=(const T& x, const T& y) { return compared##ge##suffix(x, y); }
CUDABOOK_OPERATORS(CUDABOOK_NUMBER, __hadd, __hsub, __hmul, __hdiv, __hneg, __h, )
CUDABOOK_OPERATORS(CUDABOOK_PAIR, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, __hb, 2)
#undef CUDABOOK_OPERATORS

inline CUDABOOK_NUMBER& operator++(CUDABOOK_NUMBER& x) { return x += CUDABOOK_NUMBER(1); }
inline CUDABOOK_NUMBER& operator--(CUDABOOK_NUMBER& x) { return x -= CUDABOOK_NUMBER(1); }
inline CUDABOOK_PAIR& operator++(CUDABOOK_PAIR& x) { return x += CUDABOOK_PAIR(1, 1); }
inline CUDABOOK_PAIR& operator--(CUDABOOK_PAIR& x) { return x -= CUDABOOK_PAIR(1, 1); }
inline CUDABOOK_NUMBER operator++(CUDABOOK_NUMBER& x, int) {
    const CUDABOOK_NUMBER old = x;
    ++x;
    return old;
}
inline CUDABOOK_NUMBER operator--(CUDABOOK_NUMBER& x, int) {
    const CUDABOOK_NUMBER old = x;
    --x;
    return old;
}
inline CUDABOOK_PAIR operator++(CUDABOOK_PAIR& x, int) {
    const CUDABOOK_PAIR old = x;
    ++x;
    return old;
}
inline CUDABOOK_PAIR operator--(CUDABOOK_PAIR& x, int) {
    const CUDABOOK_PAIR old = x;
    --x;
    return old;
}

// ----- Other threads

/// The addition to each number of a pair is atomic; as in CUDA, the addition to the whole pair is not.
CUDABOOK_IN_CALLER CUDABOOK_NUMBER atomicAdd(CUDABOOK_NUMBER* address, CUDABOOK_NUMBER value) {
    return cudabook::emulation::update<true>(address, [value](CUDABOOK_NUMBER old) { return old + value; });
}
CUDABOOK_IN_CALLER CUDABOOK_PAIR atomicAdd(CUDABOOK_PAIR* address, CUDABOOK_PAIR value) {
    return cudabook::emulation::update<true>(address, [value](CUDABOOK_PAIR old) { return old + value; });
}

#define CUDABOOK_SHUFFLE(name, kind, Operand)                                                               \
    inline CUDABOOK_NUMBER name(unsigned mask, CUDABOOK_NUMBER value, Operand operand,                      \
                                int width = warpSize) {                                                     \
        return cudabook::emulation::number_of<CUDABOOK_NUMBER>(                                             \
            cudabook::emulation::shuffle<cudabook::emulation::Shuffle::kind>(                               \
                mask, unsigned{cudabook::emulation::bits_of(value)}, static_cast<unsigned>(operand), width, \
                #name));                                                                                    \
    }                                                                                                       \
    inline CUDABOOK_PAIR name(unsigned mask, CUDABOOK_PAIR value, Operand operand, int width = warpSize) {  \
        return std::bit_cast<CUDABOOK_PAIR>(                                                                \
            cudabook::emulation::shuffle<cudabook::emulation::Shuffle::kind>(                               \
                mask, std::bit_cast<unsigned>(value), static_cast<unsigned>(operand), width, #name));       \
    }
CUDABOOK_SHUFFLE(__shfl_sync, to_lane, int)
CUDABOOK_SHUFFLE(__shfl_up_sync, up, unsigned)
CUDABOOK_SHUFFLE(__shfl_down_sync, down, unsigned)
CUDABOOK_SHUFFLE(__shfl_xor_sync, exclusive_or, int)
#undef CUDABOOK_SHUFFLE
