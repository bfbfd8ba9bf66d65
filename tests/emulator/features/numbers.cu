#include <cuda_fp16.h>

#include "tests/emulator/features.hpp"
#include "tests/emulator/features/result.cuh"

namespace cudabook::test {
namespace {

__global__ void bits_kernel(unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned word = i < 3 ? i - 1 : scrambled(i) >> i % 32;  // also 0 and all ones
    const unsigned other = scrambled(~i);
    const unsigned long long both = static_cast<unsigned long long>(word) << 32 | other;
    const auto long_result = [&](unsigned* at, unsigned long long value) {
        at[0] = static_cast<unsigned>(value);
        at[1] = static_cast<unsigned>(value >> 32);
    };
    unsigned* const mine = to + 40 * i;
    mine[0] = __popc(word);
    mine[1] = __popcll(both);
    mine[2] = __clz(static_cast<int>(word));
    mine[3] = __clzll(static_cast<long long>(both >> i % 64));
    mine[4] = __ffs(static_cast<int>(word));
    mine[5] = __ffsll(static_cast<long long>(both << i % 64));
    mine[6] = __brev(word);
    long_result(mine + 7, __brevll(both));
    mine[9] = __byte_perm(word, other, scrambled(i + 1000) & 0x7777);
    mine[10] = __funnelshift_l(word, other, i);
    mine[11] = __funnelshift_lc(word, other, i);
    mine[12] = __funnelshift_r(word, other, i);
    mine[13] = __funnelshift_rc(word, other, i);
    mine[14] = __mulhi(static_cast<int>(word), static_cast<int>(other));
    mine[15] = __umulhi(word, other);
    long_result(mine + 16, __umul64hi(both, both * 77));
    long_result(mine + 18, __mul64hi(static_cast<long long>(both), static_cast<long long>(both * 77)));
    mine[20] = __mul24(static_cast<int>(word), static_cast<int>(other));
    mine[21] = __umul24(word, other);
    mine[22] = __sad(static_cast<int>(word), static_cast<int>(other), i);
    mine[23] = __usad(word, other, i);
    mine[24] = __hadd(static_cast<int>(word), static_cast<int>(other));
    mine[25] = __rhadd(static_cast<int>(word), static_cast<int>(other));
    mine[26] = __uhadd(word, other);
    mine[27] = __urhadd(word, other);
    mine[28] = __dp4a(static_cast<int>(word), static_cast<int>(other), static_cast<int>(i));
    mine[29] = __dp4a(word, other, i);
    mine[30] = min(word, 5) + max(static_cast<int>(word), 7);
    mine[31] = static_cast<unsigned>(max(static_cast<size_t>(word), static_cast<size_t>(other)));
    mine[32] = abs(static_cast<int>(other));
    mine[33] = __double2hiint(__hiloint2double(static_cast<int>(word), static_cast<int>(other)));
    mine[34] = __double2loint(__longlong_as_double(static_cast<long long>(both)));
}

/// Number i of a list: first special numbers, then others of all magnitudes.
__device__ float float_number(unsigned i) {
    const unsigned special[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff,
                                0xff7fffff, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf000000,
                                0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x4effffff, 0x4f000000,
                                0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0xdf000000, 0x4b7fffff};
    return __uint_as_float(i < 24 ? special[i] : scrambled(i));
}

/// The number's bits, which are the same for each NaN.
__device__ unsigned bits_of(float number) { return isnan(number) ? 0x7fffffff : __float_as_uint(number); }

__global__ void exact_floats_kernel(unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const float x = float_number(i);
    const float y = float_number(scrambled(i) % 1000);
    const float z = float_number(scrambled(i) / 1000 % 1000);
    unsigned* const mine = to + 20 * i;
    mine[0] = bits_of(__fmaf_rn(x, y, z));
    mine[1] = bits_of(fmaf(x, y, z));
    mine[2] = bits_of(__fadd_rn(x, y));
    mine[3] = bits_of(__fsub_rn(x, y));
    mine[4] = bits_of(__fmul_rn(x, y));
    mine[5] = bits_of(__fdiv_rn(x, y));
    mine[6] = bits_of(__frcp_rn(x));
    mine[7] = bits_of(__fsqrt_rn(x));
    mine[8] = bits_of(sqrtf(x));
    mine[9] = bits_of(x / y);
    mine[10] = bits_of(__saturatef(x));
    mine[11] = bits_of(min(x, y));
    mine[12] = bits_of(max(x, y));
    mine[13] = bits_of(floorf(x)) ^ bits_of(ceilf(x));
    mine[14] = bits_of(truncf(x)) ^ bits_of(rintf(x));
    mine[15] = bits_of(fabsf(x)) ^ bits_of(copysignf(x, y));
    mine[16] = isfinite(x) + 2 * isnan(x) + 4 * isinf(x) + 8 * signbit(x);
    mine[17] = bits_of(static_cast<float>(static_cast<double>(x) * y));
    mine[18] = bits_of(__double2float_rz(static_cast<double>(x) * 1.0000001));
}

__global__ void conversions_kernel(unsigned long long* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const float x = float_number(i);
    const double y = static_cast<double>(x) * (i < 24 ? 1 : 1.0000001);
    unsigned long long* const mine = to + 20 * i;
    mine[0] = __float2int_rn(x);
    mine[1] = __float2int_rz(x);
    mine[2] = __float2int_rd(x);
    mine[3] = __float2int_ru(x);
    mine[4] = __float2uint_rn(x);
    mine[5] = __float2uint_rz(x);
    mine[6] = __float2uint_rd(x);
    mine[7] = __float2uint_ru(x);
    mine[8] = __float2ll_rn(x);
    mine[9] = __float2ll_rz(x);
    mine[10] = __float2ull_rn(x);
    mine[11] = __float2ull_ru(x);
    mine[12] = __double2int_rn(y);
    mine[13] = __double2uint_rd(y);
    mine[14] = __double2ll_rz(y);
    mine[15] = __double2ull_ru(y);
    mine[16] = __float_as_uint(__int2float_rn(static_cast<int>(scrambled(i))));
    mine[17] = __float_as_uint(__ull2float_rn(static_cast<unsigned long long>(scrambled(i)) << i % 32));
}

__global__ void halves_to_floats_kernel(unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    to[i] = __float_as_uint(__half2float(__ushort_as_half(static_cast<unsigned short>(i))));
}

__global__ void floats_to_halves_kernel(unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    // Every second number is near the range of halves. A NaN has the bits that a GPU's arithmetic gives it.
    const float near = ldexpf(float_number(i) / 0x1p127F, static_cast<int>(i % 50) - 30);
    const float x = i % 2 == 0 ? float_number(i / 2) : __uint_as_float(bits_of(near));
    to[2 * i] = __half_as_ushort(__float2half(x));
    to[2 * i + 1] = __half_as_ushort(__double2half(static_cast<double>(x) * 1.0000000001));
}

__global__ void halves_kernel(unsigned* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const auto half_number = [](unsigned bits) {
        return __ushort_as_half(static_cast<unsigned short>(bits));
    };
    const __half x = half_number(scrambled(i));
    const __half y = half_number(scrambled(i) >> 16);
    const __half z = half_number(scrambled(i + 1000000));
    unsigned* const mine = to + 12 * i;
    const auto bits = [](__half number) { return __hisnan(number) ? 0x7fffU : __half_as_ushort(number); };
    mine[0] = bits(__hadd(x, y));
    mine[1] = bits(__hsub(x, y));
    mine[2] = bits(__hmul(x, y));
    mine[3] = bits(__hfma(x, y, z));
    mine[4] = bits(__hneg(x)) + 65536 * bits(__habs(x));
    mine[5] = __heq(x, y) + 2 * __hlt(x, y) + 4 * __hge(x, y) + 8 * __hisnan(x) + 16 * (__hisinf(y) + 1);
    const __half2 sums = __hadd2(__halves2half2(x, y), __floats2half2_rn(1.5F, -2.25F));
    mine[6] = bits(__low2half(sums)) + 65536 * bits(__high2half(sums));
    mine[7] = bits(x * y + z);
    mine[8] = bits(hsqrt(__habs(x)));
    mine[9] = bits(__hmin(x, y)) + 65536 * bits(__hmax(x, y));
    mine[10] = static_cast<unsigned>(__half2int_rn(x));
    mine[11] = bits(__int2half_rn(static_cast<int>(scrambled(i)) >> i % 32));
}

constexpr Feature number_table[] = {
    {"integers", [] { return result_of(40 * 4096, 16, 256, bits_kernel); }},
    {"floats", [] { return result_of(20 * 65536, 256, 256, exact_floats_kernel); }},
    {"conversions", [] { return result_of(20 * 65536, 256, 256, conversions_kernel); }},
    {"halves to floats", [] { return result_of(65536, 256, 256, halves_to_floats_kernel); }},
    {"floats to halves", [] { return result_of(2 * 65536, 256, 256, floats_to_halves_kernel); }},
    {"halves", [] { return result_of(12 * 65536, 256, 256, halves_kernel); }},
};

}  // namespace

std::span<const Feature> number_features() { return number_table; }

}  // namespace cudabook::test
