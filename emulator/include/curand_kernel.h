// cuRAND's device generators XORWOW, Philox4x32-10 and MRG32k3a. Integers and uniform numbers have the same
// bits as on a GPU. Normal and log-normal numbers have the rounding errors of the host's functions instead.
// Sources: cuRAND Library, "Device API Overview"; G. Marsaglia, Xorshift RNGs, 2003; J. Salmon et al.,
// Parallel Random Numbers: As Easy as 1, 2, 3, 2011; P. L'Ecuyer, Good Parameters and Implementations for
// Combined Multiple Recursive Random Number Generators, 1999.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include <cuda_runtime.h>

#include "emulator/engine/warp_functions.hpp"
#include "emulator/numbers/random_skips.hpp"

// ----- XORWOW

struct curandStateXORWOW {
    unsigned d;
    unsigned v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

namespace cudabook::emulation {

inline void skip(curandStateXORWOW& state, std::uint64_t count, unsigned log2) {
    const auto& [a, b, c, d, e] = state.v;
    const XorwowState skipped = skip(XorwowState{a, b, c, d, e}, count, log2);
    for (std::size_t i = 0; i < skipped.size(); ++i) state.v[i] = skipped[i];
}

}  // namespace cudabook::emulation

/// Skips n numbers.
inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
    cudabook::emulation::skip(*state, n, 0);
    state->d += 362437 * static_cast<unsigned>(n);
}
/// Skips n sequences, each of 2^67 numbers.
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
    cudabook::emulation::skip(*state, n, 67);
}

/// Begins with number `offset` of the sequence `subsequence`.
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW* state) {
    const unsigned low = 1099087573U * (static_cast<unsigned>(seed) ^ 0xaad26b49U);
    const unsigned high = 2591861531U * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddU);
    *state = {6615241 + high + low,
              {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low},
              0,
              0,
              0,
              0};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

inline unsigned curand(curandStateXORWOW* state) {
    unsigned* const v = state->v;
    const unsigned mixed = v[0] ^ v[0] >> 2;
    const unsigned next = v[4] ^ v[4] << 4 ^ mixed ^ mixed << 1;
    for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
    v[4] = next;
    state->d += 362437;
    return next + state->d;
}

// ----- Philox4x32-10

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;  ///< the four random numbers of the counter
    uint2 key;
    unsigned STATE;  ///< how many numbers of `output` have been given
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

namespace cudabook::emulation {

/// Returns the four random numbers of a counter.
inline uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xd2511f53} * counter.x;
        const std::uint64_t second = std::uint64_t{0xcd9e8d57} * counter.z;
        counter = {static_cast<unsigned>(second >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(second),
                   static_cast<unsigned>(first >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(first)};
        key.x += 0x9e3779b9;
        key.y += 0xbb67ae85;
    }
    return counter;
}

/// Adds `high` * 2^64 + `low` to the counter.
inline void advance(curandStatePhilox4_32_10& state, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t before = std::uint64_t{state.ctr.y} << 32 | state.ctr.x;
    const std::uint64_t lower = before + low;
    const std::uint64_t upper =
        (std::uint64_t{state.ctr.w} << 32 | state.ctr.z) + high + (lower < before ? 1 : 0);
    state.ctr = {static_cast<unsigned>(lower), static_cast<unsigned>(lower >> 32),
                 static_cast<unsigned>(upper), static_cast<unsigned>(upper >> 32)};
    state.output = philox(state.ctr, state.key);
}

}  // namespace cudabook::emulation

/// Skips n numbers.
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
    const unsigned given = state->STATE + static_cast<unsigned>(n % 4);
    state->STATE = given % 4;
    cudabook::emulation::advance(*state, n / 4 + given / 4, 0);
}
/// Skips n sequences, each of 2^66 numbers.
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
    cudabook::emulation::advance(*state, 0, n);
}

/// Begins with number `offset` of the sequence `subsequence`.
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
    *state = {{}, {}, {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)}, 0, 0, 0, 0, 0};
    cudabook::emulation::advance(*state, 0, subsequence);
    skipahead(offset, state);
}

inline unsigned curand(curandStatePhilox4_32_10* state) {
    const unsigned numbers[] = {state->output.x, state->output.y, state->output.z, state->output.w};
    const unsigned number = numbers[state->STATE];
    if (++state->STATE == 4) {
        state->STATE = 0;
        cudabook::emulation::advance(*state, 1, 0);
    }
    return number;
}
inline uint4 curand4(curandStatePhilox4_32_10* state) {
    return {curand(state), curand(state), curand(state), curand(state)};
}

// ----- MRG32k3a

struct curandStateMRG32k3a {
    unsigned s1[3];
    unsigned s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;

namespace cudabook::emulation {

inline void skip(curandStateMRG32k3a& state, std::uint64_t count, unsigned log2) {
    const MrgState skipped =
        skip(MrgState{{state.s1[0], state.s1[1], state.s1[2]}, {state.s2[0], state.s2[1], state.s2[2]}},
             count, log2);
    for (std::size_t i = 0; i < 3; ++i) {
        state.s1[i] = skipped.s1[i];
        state.s2[i] = skipped.s2[i];
    }
}

}  // namespace cudabook::emulation

/// Skips n numbers.
inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
    cudabook::emulation::skip(*state, n, 0);
}
/// Skips n subsequences, each of 2^76 numbers, or n sequences, each of 2^127 numbers.
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
    cudabook::emulation::skip(*state, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
    cudabook::emulation::skip(*state, n, 127);
}

/// Begins with number `offset` of the subsequence.
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a* state) {
    using namespace cudabook::emulation;
    const std::uint64_t low = static_cast<unsigned>(seed) ^ 0x55555555U;
    const std::uint64_t high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaaU;
    const auto first = [](std::uint64_t n) { return static_cast<unsigned>(n * 12345 % mrg_modulus_1); };
    const auto second = [](std::uint64_t n) { return static_cast<unsigned>(n * 12345 % mrg_modulus_2); };
    if (seed == 0)
        *state = {{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
    else
        *state = {
            {first(low), first(high), first(low)}, {second(high), second(low), second(high)}, 0, 0, 0, 0};
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

namespace cudabook::emulation {

/// Returns a number from 1 to mrg_modulus_1.
inline unsigned next_of_mrg(curandStateMRG32k3a& state) {
    unsigned* const s1 = state.s1;
    unsigned* const s2 = state.s2;
    const auto first = static_cast<unsigned>(
        (std::uint64_t{1403580} * s1[1] + std::uint64_t{810728} * (mrg_modulus_1 - s1[0])) % mrg_modulus_1);
    const auto second = static_cast<unsigned>(
        (std::uint64_t{527612} * s2[2] + std::uint64_t{1370589} * (mrg_modulus_2 - s2[0])) % mrg_modulus_2);
    s1[0] = s1[1], s1[1] = s1[2], s1[2] = first;
    s2[0] = s2[1], s2[1] = s2[2], s2[2] = second;
    return first - second + (first <= second ? mrg_modulus_1 : 0);
}

}  // namespace cudabook::emulation

inline unsigned curand(curandStateMRG32k3a* state) {
    return static_cast<unsigned>(cudabook::emulation::next_of_mrg(*state) * 1.000000048662);
}

// ----- Uniform numbers, which are greater than 0 and at most 1

namespace cudabook::emulation {

template <class State>
concept RandomBits = OneOf<State, curandStateXORWOW, curandStatePhilox4_32_10>;
template <class State>
concept RandomState = RandomBits<State> || std::same_as<State, curandStateMRG32k3a>;

inline float uniform(unsigned bits) { return std::fma(static_cast<float>(bits), 0x1p-32F, 0x1p-33F); }
inline double uniform_of_53(unsigned low, unsigned high) {
    return static_cast<double>(low ^ std::uint64_t{high} << 21) * 0x1p-53 + 0x1p-54;
}

}  // namespace cudabook::emulation

template <cudabook::emulation::RandomBits State>
float curand_uniform(State* state) {
    return cudabook::emulation::uniform(curand(state));
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    return {curand_uniform(state), curand_uniform(state), curand_uniform(state), curand_uniform(state)};
}
inline double curand_uniform_double(curandStateXORWOW* state) {
    const unsigned low = curand(state);
    return cudabook::emulation::uniform_of_53(low, curand(state));
}
/// With Philox, the result has 32 random bits; each result of curand_uniform2_double() has 53.
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
    return curand(state) * 0x1p-32 + 0x1p-32;
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    return {cudabook::emulation::uniform_of_53(bits.x, bits.y),
            cudabook::emulation::uniform_of_53(bits.z, bits.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
    const double2 first = curand_uniform2_double(state);
    const double2 second = curand_uniform2_double(state);
    return {first.x, first.y, second.x, second.y};
}
inline double curand_uniform_double(curandStateMRG32k3a* state) {
    return cudabook::emulation::next_of_mrg(*state) * 2.3283065498378288e-10;
}
inline float curand_uniform(curandStateMRG32k3a* state) {
    return static_cast<float>(curand_uniform_double(state));
}

#ifndef CUDABOOK_HOST_SOURCE  // these need functions of device code

// ----- Normal numbers, by the method of G. Box and M. Muller: two uniform numbers give two normal ones

namespace cudabook::emulation {

inline float2 normal_pair(float uniform, float angle) {
    const float length = std::sqrt(-2 * std::log(uniform));
    float2 pair{};
    __sincosf(angle, &pair.x, &pair.y);
    return {pair.x * length, pair.y * length};
}
/// `half_turns` is the angle in units of pi.
inline double2 normal_pair(double uniform, double half_turns) {
    const double length = std::sqrt(-2 * std::log(uniform));
    double2 pair{};
    sincospi(half_turns, &pair.x, &pair.y);
    return {pair.x * length, pair.y * length};
}

inline constexpr float two_pi = 6.2831855F;

/// The values of boxmuller_flag in a state: the kind of boxmuller_extra, the second number of a pair.
enum Extra { no_extra, normal_extra, log_normal_extra };

/// Returns the numbers of a pair in two calls. `extra` keeps the second number until the second call.
template <class Number, class Pair>
Number one_of_pair(int& flag, Number& extra, Extra kind, Pair next_pair) {
    if (flag == kind) {
        flag = no_extra;
        return extra;
    }
    const auto pair = next_pair();
    extra = pair.y;
    flag = kind;
    return pair.x;
}

template <class Pair, class Number>
Pair log_normal(Pair normal, Number mean, Number deviation) {
    return {std::exp(std::fma(deviation, normal.x, mean)), std::exp(std::fma(deviation, normal.y, mean))};
}

}  // namespace cudabook::emulation

template <cudabook::emulation::RandomBits State>
float2 curand_normal2(State* state) {
    using namespace cudabook::emulation;
    const float radial = curand_uniform(state);
    constexpr float unit = 0x1p-32F * two_pi;
    return normal_pair(radial, std::fma(static_cast<float>(curand(state)), unit, unit / 2));
}
inline float2 curand_normal2(curandStateMRG32k3a* state) {
    const float radial = curand_uniform(state);
    return cudabook::emulation::normal_pair(radial, curand_uniform(state) * cudabook::emulation::two_pi);
}
template <cudabook::emulation::RandomBits State>
double2 curand_normal2_double(State* state) {
    using namespace cudabook::emulation;
    const unsigned bits[] = {curand(state), curand(state), curand(state), curand(state)};
    return normal_pair(uniform_of_53(bits[0], bits[1]), 2 * uniform_of_53(bits[2], bits[3]));
}
inline double2 curand_normal2_double(curandStateMRG32k3a* state) {
    const double radial = curand_uniform_double(state);
    return cudabook::emulation::normal_pair(radial, 2 * curand_uniform_double(state));
}
template <cudabook::emulation::RandomState State>
float2 curand_log_normal2(State* state, float mean, float deviation) {
    return cudabook::emulation::log_normal(curand_normal2(state), mean, deviation);
}
template <cudabook::emulation::RandomState State>
double2 curand_log_normal2_double(State* state, double mean, double deviation) {
    return cudabook::emulation::log_normal(curand_normal2_double(state), mean, deviation);
}

template <cudabook::emulation::RandomState State>
float curand_normal(State* state) {
    using namespace cudabook::emulation;
    return one_of_pair(state->boxmuller_flag, state->boxmuller_extra, normal_extra,
                       [&] { return curand_normal2(state); });
}
template <cudabook::emulation::RandomState State>
double curand_normal_double(State* state) {
    using namespace cudabook::emulation;
    return one_of_pair(state->boxmuller_flag_double, state->boxmuller_extra_double, normal_extra,
                       [&] { return curand_normal2_double(state); });
}
template <cudabook::emulation::RandomState State>
float curand_log_normal(State* state, float mean, float deviation) {
    using namespace cudabook::emulation;
    return one_of_pair(state->boxmuller_flag, state->boxmuller_extra, log_normal_extra,
                       [&] { return curand_log_normal2(state, mean, deviation); });
}
template <cudabook::emulation::RandomState State>
double curand_log_normal_double(State* state, double mean, double deviation) {
    using namespace cudabook::emulation;
    return one_of_pair(state->boxmuller_flag_double, state->boxmuller_extra_double, log_normal_extra,
                       [&] { return curand_log_normal2_double(state, mean, deviation); });
}

inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const float2 first = curand_normal2(state);
    const float2 second = curand_normal2(state);
    return {first.x, first.y, second.x, second.y};
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
    const double2 first = curand_normal2_double(state);
    const double2 second = curand_normal2_double(state);
    return {first.x, first.y, second.x, second.y};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
    const float2 first = curand_log_normal2(state, mean, deviation);
    const float2 second = curand_log_normal2(state, mean, deviation);
    return {first.x, first.y, second.x, second.y};
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean, double deviation) {
    const double2 first = curand_log_normal2_double(state, mean, deviation);
    const double2 second = curand_log_normal2_double(state, mean, deviation);
    return {first.x, first.y, second.x, second.y};
}

#endif

// ----- What the emulated GPU does not have

#define CUDABOOK_NOT_EMULATED(instead) CUDABOOK_UNAVAILABLE("the emulated GPU does not have it: " instead)

#define CUDABOOK_NO_GENERATOR(name)                        \
    struct CUDABOOK_NOT_EMULATED(                          \
        "take curandState, curandStatePhilox4_32_10_t or " \
        "curandStateMRG32k3a") name {};                    \
    using name##_t CUDABOOK_NOT_EMULATED(                  \
        "take curandState, curandStatePhilox4_32_10_t or " \
        "curandStateMRG32k3a") = int;
CUDABOOK_NO_GENERATOR(curandStateSobol32)
CUDABOOK_NO_GENERATOR(curandStateScrambledSobol32)
CUDABOOK_NO_GENERATOR(curandStateSobol64)
CUDABOOK_NO_GENERATOR(curandStateScrambledSobol64)
CUDABOOK_NO_GENERATOR(curandStateMtgp32)
#undef CUDABOOK_NO_GENERATOR

// A GPU's results depend on the last bits of its approximate exponential and root.
template <cudabook::emulation::RandomState State>
CUDABOOK_NOT_EMULATED("compute it with curand_uniform()")
unsigned curand_poisson(State* state, double lambda);
CUDABOOK_NOT_EMULATED("compute them with curand_uniform4()")
uint4 curand_poisson4(curandStatePhilox4_32_10* state, double lambda);
using curandDiscreteDistribution_t CUDABOOK_NOT_EMULATED(
    "search curand_uniform()'s number in a table of the program") = void*;
#undef CUDABOOK_NOT_EMULATED
