// Operations on the parts of a word, and others on integers, compared with plain loops.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class CudaWordParts : public test::Gpu {};

constexpr unsigned threads_of_parts = 64 * 256;

/// Words that look random; bytes of 0, 1, 127, 128 and 255 are frequent.
std::vector<unsigned> words_of_parts() {
    const unsigned special[] = {0, 1, 0x7f, 0x80, 0xff, 0x81, 0x7f, 0x80};
    std::vector<unsigned> words(3 * threads_of_parts);
    std::uint32_t state = 1;
    const auto next = [&] {
        state = state * 1664525U + 1013904223U;
        return state >> 16;
    };
    for (unsigned& word : words)
        for (int i = 0; i < 32; i += 8) {
            const unsigned random = next();
            word = word << 8 | (random % 3 == 0 ? special[random / 3 % 8] : random / 3 & 0xff);
        }
    for (std::size_t i = 0; i < words.size(); i += 30) words[i + 1] = words[i];
    return words;
}

/// Runs the kernel on the words. Each thread gets three words, and writes `results_each` results.
std::vector<unsigned> results_of_parts(void (*kernel)(const unsigned*, unsigned*), std::size_t results_each) {
    const std::vector<unsigned> words = words_of_parts();
    const DeviceArray<unsigned> input{std::span<const unsigned>(words)};
    const DeviceArray<unsigned> output(results_each * threads_of_parts);
    launch(kernel, threads_of_parts / 256, 256, Stream(), input.data(), output.data());
    return output.download();
}

// Each line: the name, signed or not, and the result for the parts x and y. S(v) saturates.
#define OPERATIONS(LINE)                         \
    LINE(add, false, x + y)                      \
    LINE(addss, true, S(x + y))                  \
    LINE(addus, false, S(x + y))                 \
    LINE(sub, false, x - y)                      \
    LINE(subss, true, S(x - y))                  \
    LINE(subus, false, S(x - y))                 \
    LINE(absdiffs, true, std::abs(x - y))        \
    LINE(absdiffu, false, std::abs(x - y))       \
    LINE(avgs, true, (x + y) / 2 + (x + y) % 2)  \
    LINE(avgu, false, (x + y) / 2 + (x + y) % 2) \
    LINE(haddu, false, (x + y) / 2)              \
    LINE(maxs, true, std::max(x, y))             \
    LINE(maxu, false, std::max(x, y))            \
    LINE(mins, true, std::min(x, y))             \
    LINE(minu, false, std::min(x, y))            \
    LINE(cmpeq, false, x == y ? -1 : 0)          \
    LINE(cmpne, false, x != y ? -1 : 0)          \
    LINE(cmpges, true, x >= y ? -1 : 0)          \
    LINE(cmpgeu, false, x >= y ? -1 : 0)         \
    LINE(cmpgts, true, x > y ? -1 : 0)           \
    LINE(cmpgtu, false, x > y ? -1 : 0)          \
    LINE(cmples, true, x <= y ? -1 : 0)          \
    LINE(cmpleu, false, x <= y ? -1 : 0)         \
    LINE(cmplts, true, x < y ? -1 : 0)           \
    LINE(cmpltu, false, x < y ? -1 : 0)          \
    LINE(seteq, false, x == y ? 1 : 0)           \
    LINE(setne, false, x != y ? 1 : 0)           \
    LINE(setges, true, x >= y ? 1 : 0)           \
    LINE(setgeu, false, x >= y ? 1 : 0)          \
    LINE(setgts, true, x > y ? 1 : 0)            \
    LINE(setgtu, false, x > y ? 1 : 0)           \
    LINE(setles, true, x <= y ? 1 : 0)           \
    LINE(setleu, false, x <= y ? 1 : 0)          \
    LINE(setlts, true, x < y ? 1 : 0)            \
    LINE(setltu, false, x < y ? 1 : 0)
#define UNARY_OPERATIONS(LINE) \
    LINE(neg, -x)              \
    LINE(negss, S(-x))         \
    LINE(abs, std::abs(x))     \
    LINE(absss, S(std::abs(x)))

constexpr std::size_t part_results = 2 * (35 + 4 + 2);

__global__ void operations_on_parts(const unsigned* from, unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned a = from[3 * i];
    const unsigned b = from[3 * i + 1];
    unsigned* mine = to + part_results * i;
#define CALL(name, is_signed, expression) \
    *mine++ = __v##name##2(a, b);         \
    *mine++ = __v##name##4(a, b);
    OPERATIONS(CALL)
#undef CALL
#define CALL(name, expression) \
    *mine++ = __v##name##2(a); \
    *mine++ = __v##name##4(a);
    UNARY_OPERATIONS(CALL)
#undef CALL
    *mine++ = __vsads2(a, b);
    *mine++ = __vsads4(a, b);
    *mine++ = __vsadu2(a, b);
    *mine++ = __vsadu4(a, b);
}

/// The part of a word that begins at a bit.
int part_of(unsigned word, int at, int bits, bool is_signed) {
    const int value = static_cast<int>(word >> at & ((1U << bits) - 1));
    return is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

unsigned each_part(unsigned a, unsigned b, int bits, bool is_signed,
                   const std::function<int(int, int)>& result) {
    unsigned word = 0;
    for (int at = 0; at < 32; at += bits)
        word |=
            (static_cast<unsigned>(result(part_of(a, at, bits, is_signed), part_of(b, at, bits, is_signed))) &
             ((1U << bits) - 1))
            << at;
    return word;
}

int saturated_part(int value, int bits, bool is_signed) {
    const int least = is_signed ? -(1 << (bits - 1)) : 0;
    return std::clamp(value, least, least + (1 << bits) - 1);
}

TEST_F(CudaWordParts, Operations) {
    const std::vector<unsigned> words = words_of_parts();
    const std::vector<unsigned> got = results_of_parts(operations_on_parts, part_results);
    for (std::size_t i = 0; i < threads_of_parts; i += 7) {
        const unsigned a = words[3 * i];
        const unsigned b = words[3 * i + 1];
        const unsigned* mine = &got[part_results * i];
        for (const int bits : {16, 8}) {
            const unsigned* of_bits = mine + (bits == 16 ? 0 : 1);
#define COMPARE(name, is_signed, expression)                                                               \
    {                                                                                                      \
        [[maybe_unused]] const auto S = [&](int value) { return saturated_part(value, bits, is_signed); }; \
        const auto result = [&](int x, int y) -> int { return expression; };                               \
        ASSERT_EQ(*of_bits, each_part(a, b, bits, is_signed, result)) << #name << bits;                    \
        of_bits += 2;                                                                                      \
    }
            OPERATIONS(COMPARE)
#undef COMPARE
#define COMPARE(name, expression)                                                                     \
    {                                                                                                 \
        [[maybe_unused]] const auto S = [&](int value) { return saturated_part(value, bits, true); }; \
        const auto result = [&](int x, int) -> int { return expression; };                            \
        ASSERT_EQ(*of_bits, each_part(a, b, bits, true, result)) << #name << bits;                    \
        of_bits += 2;                                                                                 \
    }
            UNARY_OPERATIONS(COMPARE)
#undef COMPARE
            for (const bool is_signed : {true, false}) {
                int sum = 0;
                for (int at = 0; at < 32; at += bits)
                    sum += std::abs(part_of(a, at, bits, is_signed) - part_of(b, at, bits, is_signed));
                ASSERT_EQ(*of_bits, static_cast<unsigned>(sum)) << "sad" << bits;
                of_bits += 2;
            }
        }
    }
}

#undef UNARY_OPERATIONS
#undef OPERATIONS

// ----- Dynamic programming

constexpr std::size_t dpx_results = 2 * 18;

__global__ void dynamic_programming(const unsigned* from, unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned a = from[3 * i];
    const unsigned b = from[3 * i + 1];
    const unsigned c = from[3 * i + 2];
    const int x = static_cast<int>(a);
    const int y = static_cast<int>(b);
    const int z = static_cast<int>(c);
    unsigned* mine = to + dpx_results * i;
    bool first = false;
    bool high = false;
#define CALL(extreme)                                                                               \
    *mine++ = static_cast<unsigned>(__viadd##extreme##_s32(x, y, z));                               \
    *mine++ = static_cast<unsigned>(__viadd##extreme##_s32_relu(x, y, z));                          \
    *mine++ = __viadd##extreme##_u32(a, b, c);                                                      \
    *mine++ = __viadd##extreme##_s16x2(a, b, c);                                                    \
    *mine++ = __viadd##extreme##_s16x2_relu(a, b, c);                                               \
    *mine++ = __viadd##extreme##_u16x2(a, b, c);                                                    \
    *mine++ = static_cast<unsigned>(__vi##extreme##3_s32(x, y, z));                                 \
    *mine++ = static_cast<unsigned>(__vi##extreme##3_s32_relu(x, y, z));                            \
    *mine++ = __vi##extreme##3_u32(a, b, c);                                                        \
    *mine++ = __vi##extreme##3_s16x2(a, b, c);                                                      \
    *mine++ = __vi##extreme##3_s16x2_relu(a, b, c);                                                 \
    *mine++ = __vi##extreme##3_u16x2(a, b, c);                                                      \
    *mine++ = static_cast<unsigned>(__vi##extreme##_s32_relu(x, y));                                \
    *mine++ = __vi##extreme##_s16x2_relu(a, b);                                                     \
    *mine++ = static_cast<unsigned>(__vib##extreme##_s32(x, y, &first)) ^ (first ? 1 : 0);          \
    *mine++ = __vib##extreme##_u32(a, b, &first) ^ (first ? 1 : 0);                                 \
    *mine++ = __vib##extreme##_s16x2(a, b, &high, &first) ^ (high ? 0x10000 : 0) ^ (first ? 1 : 0); \
    *mine++ = __vib##extreme##_u16x2(a, b, &high, &first) ^ (high ? 0x10000 : 0) ^ (first ? 1 : 0);
    CALL(max)
    CALL(min)
#undef CALL
}

/// Applies `result` to the words as numbers of 32 bits, or to each half of the words, in 64 bits.
unsigned in_parts(std::initializer_list<unsigned> words, int bits, bool is_signed,
                  const std::function<std::int64_t(const std::vector<std::int64_t>&)>& result) {
    std::uint64_t all = 0;
    for (int at = 0; at < 32; at += bits) {
        std::vector<std::int64_t> parts;
        for (const unsigned word : words)
            parts.push_back(bits == 16  ? part_of(word, at, 16, is_signed)
                            : is_signed ? static_cast<std::int64_t>(static_cast<int>(word))
                                        : static_cast<std::int64_t>(word));
        all |= (static_cast<std::uint64_t>(result(parts)) & ((std::uint64_t{1} << bits) - 1)) << at;
    }
    return static_cast<unsigned>(all);
}

TEST_F(CudaWordParts, DynamicProgramming) {
    const std::vector<unsigned> words = words_of_parts();
    const std::vector<unsigned> got = results_of_parts(dynamic_programming, dpx_results);
    for (std::size_t i = 0; i < threads_of_parts; i += 5) {
        const unsigned a = words[3 * i];
        const unsigned b = words[3 * i + 1];
        const unsigned c = words[3 * i + 2];
        const unsigned* mine = &got[dpx_results * i];
        for (const bool most : {true, false}) {
            const auto choose = [&](std::int64_t x, std::int64_t y) {
                return most ? std::max(x, y) : std::min(x, y);
            };
            const auto relu = [](std::int64_t x) { return std::max<std::int64_t>(x, 0); };
            using Parts = std::vector<std::int64_t>;
            const auto wrapped = [](std::int64_t sum, int bits, bool is_signed) {
                const std::int64_t range = std::int64_t{1} << bits;
                const std::int64_t low = (sum % range + range) % range;
                return is_signed && low >= range / 2 ? low - range : low;
            };
            const auto expect = [&](const char* name, unsigned expected) {
                EXPECT_EQ(*mine, expected)
                    << name << (most ? " max" : " min") << std::hex << " of " << a << ", " << b << ", " << c;
                ++mine;
            };
            for (const int bits : {32, 16}) {
                const auto sum = [&](bool is_signed, bool positive) {
                    return in_parts({a, b, c}, bits, is_signed, [&](const Parts& p) {
                        const std::int64_t value = choose(wrapped(p[0] + p[1], bits, is_signed), p[2]);
                        return positive ? relu(value) : value;
                    });
                };
                expect("add", sum(true, false));
                expect("add relu", sum(true, true));
                expect("add unsigned", sum(false, false));
            }
            for (const int bits : {32, 16}) {
                const auto three = [&](bool is_signed, bool positive) {
                    return in_parts({a, b, c}, bits, is_signed, [&](const Parts& p) {
                        const std::int64_t value = choose(choose(p[0], p[1]), p[2]);
                        return positive ? relu(value) : value;
                    });
                };
                expect("three", three(true, false));
                expect("three relu", three(true, true));
                expect("three unsigned", three(false, false));
            }
            for (const int bits : {32, 16})
                expect("relu", in_parts({a, b}, bits, true,
                                        [&](const Parts& p) { return relu(choose(p[0], p[1])); }));
            for (const int bits : {32, 16})
                for (const bool is_signed : {true, false})
                    expect("with first", in_parts({a, b}, bits, is_signed, [&](const Parts& p) {
                               const bool first = most ? p[0] >= p[1] : p[0] <= p[1];
                               return choose(p[0], p[1]) ^ (first ? 1 : 0);
                           }));
        }
        if (HasFailure()) return;
    }
}

// ----- Products of parts, and bits

__global__ void products_of_parts(const unsigned* from, unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned a = from[3 * i];
    const unsigned b = from[3 * i + 1];
    const unsigned c = from[3 * i + 2];
    unsigned* const mine = to + 10 * i;
    mine[0] = static_cast<unsigned>(__dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
    mine[1] = __dp4a(a, b, c);
    mine[2] = static_cast<unsigned>(__dp2a_lo(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
    mine[3] = __dp2a_lo(a, b, c);
    mine[4] = static_cast<unsigned>(__dp2a_hi(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
    mine[5] = __dp2a_hi(a, b, c);
    const auto byte = [](unsigned word, int n) { return static_cast<unsigned char>(word >> 8 * n); };
    const uchar4 bytes = make_uchar4(byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3));
    const ushort2 halfwords =
        make_ushort2(static_cast<unsigned short>(a), static_cast<unsigned short>(a >> 16));
    mine[6] = __dp2a_hi(halfwords, bytes, c);
    mine[7] = __dp4a(bytes, bytes, 0U);
    const int offset = static_cast<int>(b % 9) - 4;
    mine[8] = __fns(a, c % 32, offset);
    mine[9] = __byte_perm(a, b, c);
}

TEST_F(CudaWordParts, ProductsAndBits) {
    const std::vector<unsigned> words = words_of_parts();
    const std::vector<unsigned> got = results_of_parts(products_of_parts, 10);
    for (std::size_t i = 0; i < threads_of_parts; ++i) {
        const unsigned a = words[3 * i];
        const unsigned b = words[3 * i + 1];
        const unsigned c = words[3 * i + 2];
        unsigned sums[8] = {c, c, c, c, c, c, c, 0};
        for (int n = 0; n < 4; ++n) {
            for (const bool is_signed : {true, false}) {
                const int y = part_of(b, 8 * n, 8, is_signed);
                sums[is_signed ? 0 : 1] += static_cast<unsigned>(part_of(a, 8 * n, 8, is_signed) * y);
                const std::int64_t product = std::int64_t{part_of(a, n % 2 * 16, 16, is_signed)} * y;
                sums[(n < 2 ? 2 : 4) + (is_signed ? 0 : 1)] += static_cast<unsigned>(product);
            }
            sums[7] += static_cast<unsigned>(part_of(b, 8 * n, 8, false) * part_of(b, 8 * n, 8, false));
        }
        sums[6] = sums[5];
        for (std::size_t n = 0; n < 8; ++n) ASSERT_EQ(got[10 * i + n], sums[n]) << n;
        // The bits that are set, in the order in which they are counted.
        const int offset = static_cast<int>(b % 9) - 4;
        std::vector<unsigned> set;
        for (int bit = static_cast<int>(c % 32); bit >= 0 && bit < 32; bit += offset < 0 ? -1 : 1)
            if ((a >> bit & 1) != 0) set.push_back(static_cast<unsigned>(bit));
        unsigned expected = ~0U;
        const auto wanted = static_cast<std::size_t>(std::max(std::abs(offset), 1));
        if (set.size() >= wanted && (offset != 0 || set[0] == c % 32)) expected = set[wanted - 1];
        ASSERT_EQ(got[10 * i + 8], expected) << std::hex << a << " from " << c % 32 << " by " << offset;
        unsigned permuted = 0;
        for (int n = 0; n < 4; ++n) {
            const unsigned selector = c >> 4 * n & 7;
            permuted |= ((selector & 4 ? b : a) >> (8 * (selector & 3)) & 0xff) << 8 * n;
        }
        ASSERT_EQ(got[10 * i + 9], permuted);
    }
}

}  // namespace
}  // namespace cudabook
