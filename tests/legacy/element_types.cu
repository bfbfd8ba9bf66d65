// tex1Dfetch() of linear memory, for each texel type, in both read modes: all values of 8 and 16 bits, and
// of 32 bits the limits, the limits between numbers and NaN, and many others. Also halves.
#include <math.h>

#include "check.h"

// clang-format off
#define SMALL_TYPES(DO)                                                                              \
    DO(char, scalar_char)                                                                            \
    DO(signed char, scalar_schar) DO(char1, char1) DO(char2, char2) DO(char4, char4)                 \
    DO(unsigned char, scalar_uchar) DO(uchar1, uchar1) DO(uchar2, uchar2) DO(uchar4, uchar4)         \
    DO(short, scalar_short) DO(short1, short1) DO(short2, short2) DO(short4, short4)                 \
    DO(unsigned short, scalar_ushort) DO(ushort1, ushort1) DO(ushort2, ushort2) DO(ushort4, ushort4)
#define LARGE_TYPES(DO)                                                              \
    DO(int, scalar_int) DO(int1, int1) DO(int2, int2) DO(int4, int4)                 \
    DO(unsigned, scalar_uint) DO(uint1, uint1) DO(uint2, uint2) DO(uint4, uint4)     \
    DO(float, scalar_float) DO(float1, float1) DO(float2, float2) DO(float4, float4)
// clang-format on

#define ELEMENT(T, name)                                   \
    texture<T, 1, cudaReadModeElementType> element_##name; \
    FETCH_KERNEL(fetch_##name, T, tex1Dfetch(element_##name, (int)p.x), tex1Dfetch<T>(object, (int)p.x))
SMALL_TYPES(ELEMENT)
LARGE_TYPES(ELEMENT)

// Normalized floats have as many components as the type.
template <int components>
struct Floats;
template <>
struct Floats<1> {
    typedef float type;
};
template <>
struct Floats<2> {
    typedef float2 type;
};
template <>
struct Floats<4> {
    typedef float4 type;
};
template <class T>
struct Fraction {
    typedef typename Floats<sizeof(T) / sizeof(typename Scalar<T>::type)>::type type;
};
template <>
struct Fraction<char1> {
    typedef float1 type;
};
template <>
struct Fraction<uchar1> {
    typedef float1 type;
};
template <>
struct Fraction<short1> {
    typedef float1 type;
};
template <>
struct Fraction<ushort1> {
    typedef float1 type;
};

#define FRACTION(T, name)                                                                         \
    texture<T, 1, cudaReadModeNormalizedFloat> fraction_##name;                                   \
    FETCH_KERNEL(fetch_fraction_##name, Fraction<T>::type, tex1Dfetch(fraction_##name, (int)p.x), \
                 tex1Dfetch<Fraction<T>::type>(object, (int)p.x))
SMALL_TYPES(FRACTION)

// ----- texels

/// Words in which every component of every type has all patterns of 8 or 16 bits.
template <class Word>
std::vector<Word> words() {
    std::vector<Word> all;
    if constexpr (sizeof(Word) < 4) {
        const unsigned patterns = 1u << (8 * sizeof(Word));
        for (unsigned i = 0; i < 4 * patterns; ++i) all.push_back((Word)(i + i / patterns));
    } else {
        const unsigned special[] = {0,          1,          2,          0x7fffffff, 0x80000000, 0x80000001,
                                    0xffffffff, 0x3f800000, 0xbf800000, 0x00800000, 0x007fffff, 0x807fffff,
                                    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                                    0x7f800001, 0xffbfffff, 0x7fc12345};
        for (unsigned i = 0; i < 4 * 21; ++i) all.push_back(special[i % 21]);
        for (unsigned i = 0; i < 16384; ++i) all.push_back(i * 2654435761u);
    }
    return all;
}

template <size_t bytes>
struct Unsigned;
template <>
struct Unsigned<1> {
    typedef unsigned char type;
};
template <>
struct Unsigned<2> {
    typedef unsigned short type;
};
template <>
struct Unsigned<4> {
    typedef unsigned type;
};

/// The components of vectors, one after the other.
template <class To, class From>
std::vector<To> components(const std::vector<From>& from) {
    std::vector<To> to(from.size() * sizeof(From) / sizeof(To));
    memcpy((void*)to.data(), from.data(), from.size() * sizeof(From));
    return to;
}

template <class T>
cudaResourceDesc resource_of(const std::vector<T>& texels, const cudaChannelFormatDesc& format) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = to_device(texels);
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = texels.size() * sizeof(T);
    return resource;
}

std::vector<float4> indices(size_t count) {
    std::vector<float4> points;
    for (size_t i = 0; i < count; ++i) points.push_back(make_float4((float)i, 0, 0, 0));
    return points;
}

const cudaTextureDesc as_they_are = sampler(cudaFilterModePoint, cudaAddressModeClamp, false);

// ----- comparisons

template <class T>
void test_elements(const char* name, texture<T, 1, cudaReadModeElementType>& reference,
                   void (*kernel)(cudaTextureObject_t, const float4*, int, T*, T*)) {
    typedef typename Unsigned<sizeof(typename Scalar<T>::type)>::type Word;
    const std::vector<Word> expected = words<Word>();
    const cudaResourceDesc resource = resource_of(expected, cudaCreateChannelDesc<T>());
    const std::vector<float4> points = indices(expected.size() * sizeof(Word) / sizeof(T));
    const std::vector<Word> got =
        components<Word>(compare(name, reference, kernel, resource, as_they_are, points));
    for (size_t i = 0; i < expected.size(); ++i)
        if (expected[i] != got[i])
            expect_equal(std::string(name) + ", component " + text(i) + ", bits", expected[i], got[i]);
    CUDA(cudaUnbindTexture(reference));
    CUDA(cudaFree(resource.res.linear.devPtr));
}

template <class T, class Result>
void test_fractions(const char* name, texture<T, 1, cudaReadModeNormalizedFloat>& reference,
                    void (*kernel)(cudaTextureObject_t, const float4*, int, Result*, Result*)) {
    typedef typename Scalar<T>::type scalar;
    typedef typename Unsigned<sizeof(scalar)>::type Word;
    const std::vector<Word> all = words<Word>();
    const std::vector<scalar> values = components<scalar>(all);
    const cudaResourceDesc resource = resource_of(values, cudaCreateChannelDesc<T>());
    const std::vector<float4> points = indices(values.size() * sizeof(scalar) / sizeof(T));
    const std::vector<float> got =
        components<float>(compare(name, reference, kernel, resource, as_they_are, points));
    const bool has_sign = scalar(-1) < 0;
    const float most = has_sign ? (float)((1 << (8 * sizeof(scalar) - 1)) - 1) : (float)(Word)-1;
    for (size_t i = 0; i < values.size(); ++i) {
        const float expected = fmaxf(values[i] / most, -1);
        if (memcmp(&expected, &got[i], sizeof expected) != 0)
            expect_equal(std::string(name) + ", component " + text(i) + ", fraction of " + text(values[i]),
                         expected, got[i]);
    }
    CUDA(cudaUnbindTexture(reference));
    CUDA(cudaFree(resource.res.linear.devPtr));
}

float float_of_half(unsigned short half) {
    const int exponent = (half >> 10) & 31;
    const int fraction = half & 1023;
    const float size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                       : exponent == 0 ? ldexpf((float)fraction, -24)
                                       : ldexpf((float)(fraction + 1024), exponent - 25);
    return (half & 0x8000) != 0 ? -size : size;
}

/// Halves, which a reference of floats can also read.
template <class T>
void test_halves(const char* name, texture<T, 1, cudaReadModeElementType>& reference,
                 void (*kernel)(cudaTextureObject_t, const float4*, int, T*, T*)) {
    const int count = sizeof(T) / sizeof(float);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(
        16, count > 1 ? 16 : 0, count > 2 ? 16 : 0, count > 2 ? 16 : 0, cudaChannelFormatKindFloat);
    const std::vector<unsigned short> halves = words<unsigned short>();
    const cudaResourceDesc resource = resource_of(halves, format);
    const std::vector<float> got = components<float>(
        compare(name, reference, kernel, resource, as_they_are, indices(halves.size() / count)));
    for (size_t i = 0; i < halves.size(); ++i) {
        const float expected = float_of_half(halves[i]);
        if (memcmp(&expected, &got[i], sizeof expected) != 0 && !(isnan(expected) && isnan(got[i])))
            expect_equal(std::string(name) + ", component " + text(i) + ", half " + text(halves[i]), expected,
                         got[i]);
    }
    CUDA(cudaUnbindTexture(reference));
    CUDA(cudaFree(resource.res.linear.devPtr));
}

int main() {
    need_gpu();
#define TEST_ELEMENTS(T, name) test_elements("texture<" #T ">", element_##name, fetch_##name);
    SMALL_TYPES(TEST_ELEMENTS)
    LARGE_TYPES(TEST_ELEMENTS)
#define TEST_FRACTIONS(T, name) \
    test_fractions("texture<" #T ", 1, cudaReadModeNormalizedFloat>", fraction_##name, fetch_fraction_##name);
    SMALL_TYPES(TEST_FRACTIONS)
    test_halves("half in texture<float>", element_scalar_float, fetch_scalar_float);
    test_halves("half in texture<float1>", element_float1, fetch_float1);
    test_halves("half2 in texture<float2>", element_float2, fetch_float2);
    test_halves("half4 in texture<float4>", element_float4, fetch_float4);
    return failures();
}
