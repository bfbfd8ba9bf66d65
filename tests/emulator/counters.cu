// The counts of kernels whose requests are calculated by hand. Compiled as a program that counts.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/surface.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/counts.hpp"

namespace cudabook {
namespace {

/// Launches the kernel and returns the counts of this launch alone.
template <class... Parameters, class... Arguments>
Counts counts_of(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, Arguments... arguments) {
    take_counts();
    launch(kernel, blocks, threads, Stream(), arguments...);
    const std::vector<KernelCounts> counted = take_counts();
    EXPECT_EQ(counted.size(), 1U);
    if (counted.size() != 1) return {};
    EXPECT_EQ(counted[0].launches, 1U);
    return counted[0].counts;
}

void expect_traffic(const Traffic& traffic, std::uint64_t requests, std::uint64_t accesses,
                    std::uint64_t parts, std::uint64_t conflicts = 0) {
    EXPECT_EQ(traffic.requests, requests);
    EXPECT_EQ(traffic.accesses, accesses);
    EXPECT_EQ(traffic.parts, parts);
    EXPECT_EQ(traffic.conflicts, conflicts);
}

class Counters : public testing::Test {
  protected:
    DeviceArray<float> in_{std::span<const float>(std::vector<float>(8192, 1.0F))};
    DeviceArray<float> out_{8192};
};

// ----- Constant memory

__constant__ float table[64];

__global__ void read_table(float* out, int stride) {
    const auto i = static_cast<int>(threadIdx.x);
    out[i] = table[i * stride % 64];
}

TEST_F(Counters, ConstantsAreReadOneAddressAtATime) {
    Counts counts = counts_of(read_table, 1, 64, out_.data(), 0);
    expect_traffic(counts.constant_load, 2, 64, 2);
    EXPECT_EQ(counts.constant_load.bytes, 256U);
    EXPECT_EQ(counts.global_load.requests, 0U);
    counts = counts_of(read_table, 1, 32, out_.data(), 1);
    expect_traffic(counts.constant_load, 1, 32, 32);
    counts = counts_of(read_table, 1, 32, out_.data(), 32);
    expect_traffic(counts.constant_load, 1, 32, 2);
}

// ----- Global memory

template <int stride, int offset>
__global__ void copy_strided(float* out, const float* in) {
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i] = in[i * stride + offset];
}

TEST_F(Counters, ConsecutiveFloats) {
    const Counts counts = counts_of(copy_strided<1, 0>, 1, 32, out_.data(), in_.data());
    expect_traffic(counts.global_load, 1, 32, 4);
    expect_traffic(counts.global_store, 1, 32, 4);
    EXPECT_EQ(counts.global_load.bytes, 128U);
    EXPECT_EQ(counts.shared_load.requests, 0U);
    EXPECT_EQ(counts.barriers, 0U);
}
TEST_F(Counters, EveryWarpOfEveryBlock) {
    const Counts counts = counts_of(copy_strided<1, 0>, 3, 80, out_.data(), in_.data());  // 2.5 warps
    expect_traffic(counts.global_load, 9, 240, 30);
    expect_traffic(counts.global_store, 9, 240, 30);
}
TEST_F(Counters, EverySecondFloat) {
    expect_traffic(counts_of(copy_strided<2, 0>, 1, 32, out_.data(), in_.data()).global_load, 1, 32, 8);
}
TEST_F(Counters, AFloatOfEachSector) {
    expect_traffic(counts_of(copy_strided<32, 0>, 1, 32, out_.data(), in_.data()).global_load, 1, 32, 32);
}
TEST_F(Counters, MisalignedFloats) {
    expect_traffic(counts_of(copy_strided<1, 1>, 1, 32, out_.data(), in_.data()).global_load, 1, 32, 5);
}
TEST_F(Counters, OneFloatForAll) {
    expect_traffic(counts_of(copy_strided<0, 5>, 1, 32, out_.data(), in_.data()).global_load, 1, 32, 1);
}

template <class T>
__global__ void copy_vectors(T* out, const T* in) {
    out[threadIdx.x] = in[threadIdx.x];
}
template <class T>
__global__ void add_components(float* out, const T* in) {
    const T vector = in[threadIdx.x];
    out[threadIdx.x] = vector.x + vector.y;
}

TEST_F(Counters, LoadsOf16Bytes) {
    const auto* in = reinterpret_cast<const float4*>(in_.data());
    const Counts copied = counts_of(copy_vectors<float4>, 1, 32, reinterpret_cast<float4*>(out_.data()), in);
    expect_traffic(copied.global_load, 1, 32, 16);
    expect_traffic(copied.global_store, 1, 32, 16);
    expect_traffic(counts_of(add_components<float4>, 1, 32, out_.data(), in).global_load, 1, 32, 16);
}
TEST_F(Counters, LoadsOf8Bytes) {
    const auto* in = reinterpret_cast<const float2*>(in_.data());
    expect_traffic(counts_of(add_components<float2>, 1, 32, out_.data(), in).global_load, 1, 32, 8);
    const auto* doubles = reinterpret_cast<const double*>(in_.data());
    const Counts copied =
        counts_of(copy_vectors<double>, 1, 32, reinterpret_cast<double*>(out_.data()), doubles);
    expect_traffic(copied.global_load, 1, 32, 8);
}
TEST_F(Counters, LoadsOfBytes) {
    const auto* in = reinterpret_cast<const char*>(in_.data());
    expect_traffic(counts_of(copy_vectors<char>, 1, 32, reinterpret_cast<char*>(out_.data()), in).global_load,
                   1, 32, 1);
}

// ----- Lanes that do different things

__global__ void copy_half(float* out, const float* in) {
    if (threadIdx.x % 32 < 16) out[threadIdx.x] = in[threadIdx.x];
}
TEST_F(Counters, HalfAWarp) {
    const Counts counts = counts_of(copy_half, 1, 64, out_.data(), in_.data());
    expect_traffic(counts.global_load, 2, 32, 4);
    expect_traffic(counts.global_store, 2, 32, 4);
}

__global__ void copy_by_branches(float* out, const float* in) {
    const unsigned i = threadIdx.x;
    if (i % 2 == 0)
        out[i] = in[i] + 1;
    else
        out[i + 32] = in[i + 32] * 2;
    out[i + 64] = in[i + 64];
}
TEST_F(Counters, BranchesAreRequestsOfTheirOwn) {
    const Counts counts = counts_of(copy_by_branches, 1, 32, out_.data(), in_.data());
    expect_traffic(counts.global_load, 3, 64, 12);
    expect_traffic(counts.global_store, 3, 64, 12);
}

__global__ void loop_by_lane(float* out, const float* in) {
    float sum = 0;
    for (unsigned i = 0; i <= threadIdx.x; ++i) sum += in[32 * i + threadIdx.x];
    out[threadIdx.x] = sum;
}
TEST_F(Counters, LoopsOfDifferentLengths) {
    const Counts counts = counts_of(loop_by_lane, 1, 32, out_.data(), in_.data());
    std::uint64_t sectors = 0;
    for (std::uint64_t i = 0; i < 32; ++i) sectors += 4 - i / 8;
    expect_traffic(counts.global_load, 32, 32 * 33 / 2, sectors);
    expect_traffic(counts.global_store, 1, 32, 4);
}

/// Loads like heat_notexture's tiled kernel loads its tile: in each row, the first lanes read a second word.
__global__ void rows_with_a_rest(float* out, const float* in) {
    float sum = 0;
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned x = threadIdx.x; x < 34; x += 32) sum += in[64 * row + x];
    out[threadIdx.x] = sum;
}
TEST_F(Counters, LanesWaitAfterALoopWithinALoop) {
    const Counts counts = counts_of(rows_with_a_rest, 1, 32, out_.data(), in_.data());
    expect_traffic(counts.global_load, 8, 4 * 34, 4 * (4 + 1));
    expect_traffic(counts.global_store, 1, 32, 4);
}

/// Lane i stores in round i % 4 only.
__global__ void store_in_turn(float* out, const float* in) {
    float sum = 0;
    for (unsigned round = 0; round < 4; ++round) {
        const float value = in[32 * round + threadIdx.x];
        sum += value;
        if (threadIdx.x % 4 == round) out[8 * round + threadIdx.x / 4] = value;
    }
    out[32 + threadIdx.x] = sum;
}
TEST_F(Counters, LanesWaitAfterABranchWithinALoop) {
    const Counts counts = counts_of(store_in_turn, 1, 32, out_.data(), in_.data());
    expect_traffic(counts.global_load, 4, 128, 16);
    expect_traffic(counts.global_store, 5, 64, 8);
}

/// The lanes take different branches in a round, but all load at the same place in the code.
__global__ void choose_in_loop(float* out, const float* in) {
    float sum = 0;
    for (unsigned round = 0; round < 5; ++round) {
        unsigned offset = 0;
        if ((threadIdx.x + round) % 3 == 0) {
            for (unsigned i = 0; i < threadIdx.x; ++i) offset = (offset * 5 + i) % 7;
            offset = offset < 7 ? 0 : 1;
        }
        sum += in[32 * round + threadIdx.x + offset];
    }
    out[threadIdx.x] = sum;
}
TEST_F(Counters, LanesMeetHoweverTheyCame) {
    const Counts counts = counts_of(choose_in_loop, 1, 32, out_.data(), in_.data());
    expect_traffic(counts.global_load, 5, 160, 20);
    expect_traffic(counts.global_store, 1, 32, 4);
}

/// Each lane has its own number of rounds, and takes its own branches in each.
__global__ void wander(float* out, const float* in, unsigned rounds) {
    unsigned state = threadIdx.x;
    float sum = 0;
    for (unsigned round = 0; round < rounds + threadIdx.x; ++round) {
        state = state * 1664525 + 1013904223;
        if (state >> 31 != 0)
            for (unsigned i = 0; i < state >> 30; ++i) state ^= state >> (i + 3);
        sum += in[state % 8192];
    }
    out[threadIdx.x] = sum;
}
TEST_F(Counters, LanesThatSeldomMeet) {
    constexpr unsigned rounds = 20'000;
    const Counts counts = counts_of(wander, 1, 32, out_.data(), in_.data(), rounds);
    EXPECT_EQ(counts.global_load.requests, rounds + 31);
    EXPECT_EQ(counts.global_load.accesses, 32 * rounds + 31 * 32 / 2);
    expect_traffic(counts.global_store, 1, 32, 4);
}

__global__ void sum_long_loop(float* out, const float* in, unsigned count) {
    float sum = 0;
    for (unsigned i = 0; i < count; ++i) sum += in[(i * 32 + threadIdx.x) % 8192];
    out[threadIdx.x] = sum;
}
TEST_F(Counters, ALoopLongerThanItsLog) {
    constexpr unsigned count = 600'000;
    const Counts counts = counts_of(sum_long_loop, 1, 32, out_.data(), in_.data(), count);
    expect_traffic(counts.global_load, count, 32ULL * count, 4ULL * count);
}

/// Some lanes copy nothing in the first round: forwards if i is negative, backwards if i is `end` or more.
__global__ void copy_rounds(float* out, const float* in, int skip) {
    for (int round = 0; round < 4; ++round) {
        const int i = 32 * round + static_cast<int>(threadIdx.x) - skip;
        if (i >= 0) out[i] = in[i];
    }
}
__global__ void copy_rounds_backwards(float* out, const float* in, int end) {
    for (int round = 3; round >= 0; --round) {
        const int i = 32 * round + static_cast<int>(threadIdx.x);
        if (i < end) out[i] = in[i];
    }
}
TEST_F(Counters, LanesThatSkipTheFirstRoundsAreInTheSameRoundAfterwards) {
    Counts counts = counts_of(copy_rounds, 1, 32, out_.data(), in_.data(), 9);
    expect_traffic(counts.global_load, 4, 119, 18);
    expect_traffic(counts.global_store, 4, 119, 18);
    counts = counts_of(copy_rounds_backwards, 1, 32, out_.data(), in_.data(), 105);
    expect_traffic(counts.global_load, 4, 105, 14);
    expect_traffic(counts.global_store, 4, 105, 14);
}

/// Lanes do different numbers of rounds, and different things in a round.
__global__ void copy_some(float* out, const float* in, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += 32) {
        if ((i / 32 + threadIdx.x) % 3 == 0) continue;
        out[i] = in[i];
        if ((i / 32 + threadIdx.x) % 3 == 1) out[i + 1024] = 0;
    }
}
/// Like copy_some, but a round may end at one of two `continue` statements, each after the step of i.
__global__ void copy_some_by_hand(float* out, const float* in, unsigned count) {
    unsigned i = threadIdx.x;
    while (i < count) {
        const unsigned kind = (i / 32 + threadIdx.x) % 3;
        i += 32;
        if (kind == 0) continue;
        out[i - 32] = in[i - 32];
        if (kind == 2) continue;
        out[i - 32 + 1024] = 0;
    }
}
TEST_F(Counters, RoundsThatEndAtSeveralPlaces) {
    for (const auto kernel : {copy_some, copy_some_by_hand}) {
        const Counts counts = counts_of(kernel, 1, 32, out_.data(), in_.data(), 7 * 32 + 20);
        expect_traffic(counts.global_load, 8, 163, 7 * 4 + 3);
        EXPECT_EQ(counts.global_store.requests, 16U);
    }
}

__host__ __device__ unsigned rounds_of_inner_loop(unsigned lane) { return lane % 3 + 1; }
__host__ __device__ bool leaves(unsigned lane, unsigned round, unsigned i) {
    return 4 * round + i == 4 * lane + lane % 2;
}
/// Most lanes leave the outer loop from within the inner loop.
__global__ void leave_early(float* out, const float* in) {
    float sum = 0;
    for (unsigned round = 0; round < 40; ++round)
        for (unsigned i = 0; i < rounds_of_inner_loop(threadIdx.x); ++i) {
            if (leaves(threadIdx.x, round, i)) goto left;
            sum += in[96 * round + 32 * i + threadIdx.x];
        }
left:
    out[threadIdx.x] = sum;
}
TEST_F(Counters, LanesThatLeaveALoopWithinALoop) {
    const Counts counts = counts_of(leave_early, 1, 32, out_.data(), in_.data());
    std::vector<bool> has_left(32);
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;
    for (unsigned round = 0; round < 40; ++round)
        for (unsigned i = 0; i < 3; ++i) {
            unsigned lanes = 0;
            for (unsigned lane = 0; lane < 32; ++lane) {
                if (has_left[lane] || i >= rounds_of_inner_loop(lane)) continue;
                has_left[lane] = leaves(lane, round, i);
                lanes += has_left[lane] ? 0 : 1;
            }
            requests += lanes > 0 ? 1 : 0;
            accesses += lanes;
        }
    EXPECT_EQ(counts.global_load.requests, requests);
    EXPECT_EQ(counts.global_load.accesses, accesses);
    expect_traffic(counts.global_store, 1, 32, 4);
}

/// A loop in which lanes diverge and do different numbers of rounds. It is longer than the part of a log
/// that is kept at a time.
__global__ void copy_often(float* out, const float* in, unsigned rounds) {
    float sum = 0;
    for (unsigned round = 0; round < rounds + threadIdx.x; ++round)
        if (round % 4 >= threadIdx.x / 8) sum += in[(round * 32 + threadIdx.x) % 8192];
    out[threadIdx.x] = sum;
}
TEST_F(Counters, LanesStayInTheSameRoundOfALongLoop) {
    constexpr unsigned rounds = 100'000;
    const Counts counts = counts_of(copy_often, 1, 32, out_.data(), in_.data(), rounds);
    std::uint64_t accesses = 0;
    std::uint64_t requests = rounds;  // lanes 0 to 7 load in each round
    std::uint64_t sectors = rounds / 4 * (1 + 2 + 3 + 4);
    for (unsigned round = 0; round < rounds + 31; ++round) {
        unsigned lanes = 0;
        unsigned parts = 0;
        for (unsigned part = 0; part < 4; ++part) {
            unsigned of_part = 0;
            for (unsigned lane = 8 * part; lane < 8 * part + 8; ++lane)
                of_part += round < rounds + lane && round % 4 >= part ? 1 : 0;
            lanes += of_part;
            parts += of_part > 0 ? 1 : 0;
        }
        accesses += lanes;
        if (round < rounds) continue;
        requests += lanes > 0 ? 1 : 0;
        sectors += parts;
    }
    expect_traffic(counts.global_load, requests, accesses, sectors);
}

struct Written {
    float* out;
    __device__ ~Written() { *out = 1; }
};

/// The last thread fails while the others wait for it, each at an access in the middle of its loop.
__global__ void sum_or_fail(float* out, const float* in, unsigned count) {
    const Written written{out + threadIdx.x};
    float sum = 0;
    if (threadIdx.x == 63) sum = __shfl_sync(1, sum, 0);
    for (unsigned i = 0; i < count; ++i) sum += in[(i * 32 + threadIdx.x) % 8192];
    out[64 + threadIdx.x] = __shfl_sync(~0U, sum, 0);
}
TEST(FailedCounters, AKernelFailsWhileOthersMakeRoomInTheirLogs) {
    {
        DeviceArray<float> in(8192);
        DeviceArray<float> out(128);
        cudaLaunchConfig_t config{};
        config.gridDim = 1;
        config.blockDim = 64;
        const float* const words = in.data();
        static_cast<void>(cudaLaunchKernelEx(&config, sum_or_fail, out.data(), words, 100'000U));
        EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
        EXPECT_NE(std::string(cudaGetErrorString(cudaGetLastError())).find("__shfl_sync for lanes 0"),
                  std::string::npos);
    }
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

// ----- Shared memory

template <int stride>
__global__ void through_shared(float* out, const float* in) {
    __shared__ float words[33 * 32];
    words[threadIdx.x * stride] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x * stride];
}
template <int stride>
void expect_shared(const DeviceArray<float>& out, const DeviceArray<float>& in, std::uint64_t wavefronts) {
    const Counts counts = counts_of(through_shared<stride>, 1, 32, const_cast<float*>(out.data()), in.data());
    expect_traffic(counts.shared_load, 1, 32, wavefronts, wavefronts - 1);
    expect_traffic(counts.global_load, 1, 32, 4);
    EXPECT_EQ(counts.barriers, 1U);
}
TEST_F(Counters, BankConflicts) {
    expect_shared<1>(out_, in_, 1);
    expect_shared<2>(out_, in_, 2);
    expect_shared<32>(out_, in_, 32);
    expect_shared<33>(out_, in_, 1);
}
TEST_F(Counters, OneWordForAll) { expect_shared<0>(out_, in_, 1); }

template <class T>
__global__ void wide_through_shared(T* out, const T* in) {
    __shared__ T words[64];
    words[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = words[63 - threadIdx.x];
}
TEST_F(Counters, WideAccessesToSharedMemory) {
    const auto in2 = reinterpret_cast<const float2*>(in_.data());
    const Counts twos =
        counts_of(wide_through_shared<float2>, 1, 64, reinterpret_cast<float2*>(out_.data()), in2);
    expect_traffic(twos.shared_load, 2, 64, 4);
    expect_traffic(twos.shared_store, 2, 64, 4);
    const auto in4 = reinterpret_cast<const float4*>(in_.data());
    const Counts fours =
        counts_of(wide_through_shared<float4>, 1, 64, reinterpret_cast<float4*>(out_.data()), in4);
    expect_traffic(fours.shared_load, 2, 64, 8);
    expect_traffic(fours.shared_store, 2, 64, 8);
}

/// nvcc combines accesses to a thread's neighbouring words into aligned loads and stores of 16 and 8 bytes.
template <int first>
__global__ void neighbours_in_shared(float* out, const float* in) {
    __shared__ __align__(16) float words[32 * 8 + 4];
#pragma unroll
    for (int i = 0; i < 8; ++i) words[8 * threadIdx.x + i] = in[i];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += words[8 * threadIdx.x + first + i];
    out[threadIdx.x] = sum;
}
TEST_F(Counters, NeighbouringWordsOfSharedMemoryAreOneAccess) {
    const Counts aligned = counts_of(neighbours_in_shared<0>, 1, 32, out_.data(), in_.data());
    expect_traffic(aligned.shared_load, 1, 32, 8, 4);
    expect_traffic(aligned.shared_store, 2, 64, 16, 8);
    EXPECT_EQ(aligned.shared_load.bytes, 512U);
    EXPECT_EQ(counts_of(neighbours_in_shared<2>, 1, 32, out_.data(), in_.data()).shared_load.requests, 2U);
    EXPECT_EQ(counts_of(neighbours_in_shared<1>, 1, 32, out_.data(), in_.data()).shared_load.requests, 3U);
    EXPECT_EQ(aligned.global_load.requests, 8U);  // nvcc does not know the alignment of global memory
}

__global__ void store_between(float* out, const float* in) {
    __shared__ __align__(16) float words[64];
    words[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const float first = words[2 * (threadIdx.x / 2)];
    words[threadIdx.x] = first;
    out[threadIdx.x] = words[2 * (threadIdx.x / 2) + 1] + first;
}
TEST_F(Counters, NoAccessIsJoinedAcrossAStore) {
    expect_traffic(counts_of(store_between, 1, 32, out_.data(), in_.data()).shared_load, 2, 64, 2);
}

/// Lanes whose numbers differ in `bit` alone read the same 16 bytes. If that is bit 0 or 1, 16 lanes are
/// served at a time.
template <int bit>
__global__ void pairs_from_shared(float4* out, const float4* in) {
    __shared__ float4 words[32];
    words[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x & ~(1U << bit)];
}
TEST_F(Counters, NeighboursThatShareAWideAccess) {
    const auto in = reinterpret_cast<const float4*>(in_.data());
    const auto out = reinterpret_cast<float4*>(out_.data());
    expect_traffic(counts_of(pairs_from_shared<0>, 1, 32, out, in).shared_load, 1, 32, 4,
                   2);  // the 8 elements of a half-warp are in 4 groups of 4 banks, two in each
    expect_traffic(counts_of(pairs_from_shared<2>, 1, 32, out, in).shared_load, 1, 32, 4);
}

__global__ void dynamic_shared(float* out, const float* in) {
    extern __shared__ float dynamic[];
    dynamic[threadIdx.x * 2] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = dynamic[threadIdx.x * 2];
}
TEST_F(Counters, DynamicSharedMemory) {
    take_counts();
    launch_with_shared(dynamic_shared, 1, 32, 1024, Stream(), out_.data(), in_.data());
    const Counts counts = take_counts().at(0).counts;
    expect_traffic(counts.shared_load, 1, 32, 2, 1);
    expect_traffic(counts.shared_store, 1, 32, 2, 1);
}

/// Half of each warp's lanes load before each barrier, and all lanes load after it.
__global__ void after_barriers(float* out, const float* in, int barriers) {
    float sum = 0;
    for (int i = 0; i < barriers; ++i) {
        if (threadIdx.x % 2 == 0) sum += in[threadIdx.x];
        __syncthreads();
        sum += in[i * 32 + threadIdx.x % 32];
    }
    out[threadIdx.x] = sum;
}
TEST_F(Counters, WhatIsBetweenBarriersStaysTogether) {
    const Counts counts = counts_of(after_barriers, 1, 128, out_.data(), in_.data(), 5);
    expect_traffic(counts.global_load, 2 * 5 * 4, 5 * (64 + 128), 2 * 5 * 4 * 4);
    EXPECT_EQ(counts.barriers, 5U);
}

// ----- Other things

__global__ void add_atomically(float* sum, int* of_each) {
    atomicAdd(sum, 1.0F);
    atomicAdd(&of_each[threadIdx.x], 1);
}
TEST_F(Counters, Atomics) {
    DeviceArray<int> of_each{std::span<const int>(std::vector<int>(32))};
    const Counts counts = counts_of(add_atomically, 1, 32, out_.data(), of_each.data());
    expect_traffic(counts.global_atomic, 2, 64, 5);
    expect_traffic(counts.global_load, 0, 0, 0);
}

__global__ void shuffle(float* out, const float* in) {
    out[threadIdx.x] = __shfl_xor_sync(~0U, in[threadIdx.x], 1) + __shfl_down_sync(~0U, in[threadIdx.x], 2);
}
TEST_F(Counters, Shuffles) {
    const Counts counts = counts_of(shuffle, 1, 64, out_.data(), in_.data());
    EXPECT_EQ(counts.shuffles, 4U);
    EXPECT_EQ(counts.barriers, 0U);
}

/// Adds 1 to texels in rows of `width`. A warp goes along the rows, or down a column if `width` is 1.
__global__ void copy_surface(cudaSurfaceObject_t surface, int width) {
    const auto i = static_cast<int>(threadIdx.x);
    const int x = i % width;
    const int y = i / width;
    surf2Dwrite(surf2Dread<float>(surface, x * 4, y) + 1, surface, x * 4, y);
}
TEST_F(Counters, SurfacesByTilesOfTwoRows) {
    const CudaArray array(std::vector<float>(33 * 40), make_cudaExtent(33, 40, 0), cudaArraySurfaceLoadStore);
    const SurfaceObject surface(array.get());
    Counts counts = counts_of(copy_surface, 1, 64, surface.handle(), 32);
    expect_traffic(counts.surface_load, 2, 64, 16);
    expect_traffic(counts.surface_store, 2, 64, 16);
    EXPECT_EQ(counts.surface_load.bytes, 256U);
    counts = counts_of(copy_surface, 1, 32, surface.handle(), 1);
    expect_traffic(counts.surface_load, 1, 32, 16);
    // Each group of 8 lanes accesses two rows of 4 texels, which are one sector.
    counts = counts_of(copy_surface, 1, 32, surface.handle(), 4);
    expect_traffic(counts.surface_load, 1, 32, 4);
    expect_traffic(counts.global_load, 0, 0, 0);
    expect_traffic(counts.global_store, 0, 0, 0);
}

__global__ void fetch(float* out, cudaTextureObject_t texture) {
    out[threadIdx.x] =
        tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x)) + tex1Dfetch<float>(texture, 3);
}
TEST_F(Counters, Fetches) {
    const TextureObject texture = TextureObject::linear(in_.data(), 64);
    const Counts counts = counts_of(fetch, 1, 48, out_.data(), texture.handle());
    EXPECT_EQ(counts.texture_requests, 4U);
    EXPECT_EQ(counts.texture_fetches, 96U);
    EXPECT_EQ(counts.texels, 96U);
    EXPECT_EQ(counts.texture_tag_requests, 12U);  // of eight lanes each
    EXPECT_EQ(counts.texture_sectors, 12U);
    expect_traffic(counts.global_load, 0, 0, 0);
    expect_traffic(counts.global_store, 2, 48, 6);
}

template <class Texel, int offset>
__global__ void fetch_from(float* out, cudaTextureObject_t texture) {
    out[threadIdx.x] = tex1Dfetch<Texel>(texture, static_cast<int>(threadIdx.x) + offset).x;
}
template <class Texel, int offset>
Counts counts_of_fetch(DeviceArray<float>& out, DeviceArray<float>& in) {
    const TextureObject texture = TextureObject::linear(reinterpret_cast<Texel*>(in.data()), 64);
    return counts_of(fetch_from<Texel, offset>, 1, 32, out.data(), texture.handle());
}
TEST_F(Counters, SectorsOfFetches) {
    const Counts ones = counts_of_fetch<float1, 1>(out_, in_);  // each group of 8 lanes spans two sectors
    EXPECT_EQ(ones.texture_tag_requests, 4U);
    EXPECT_EQ(ones.texture_sectors, 8U);
    const Counts twos = counts_of_fetch<float2, 0>(out_, in_);
    EXPECT_EQ(twos.texture_tag_requests, 4U);
    EXPECT_EQ(twos.texture_sectors, 8U);
    const Counts fours = counts_of_fetch<float4, 0>(out_, in_);  // of four lanes each
    EXPECT_EQ(fours.texture_tag_requests, 8U);
    EXPECT_EQ(fours.texture_sectors, 16U);
    const Counts beyond = counts_of_fetch<float1, 56>(out_, in_);  // an index past the end reads no memory
    EXPECT_EQ(beyond.texture_tag_requests, 4U);
    EXPECT_EQ(beyond.texture_sectors, 1U);
}

__global__ void fetch_from_plane(float* out, cudaTextureObject_t texture) {
    const float x = threadIdx.x % 16 + 0.5F;
    const float y = threadIdx.x / 16 + 0.5F;
    out[threadIdx.x] = tex2D<float>(texture, x, y) + tex2D<float>(texture, x - 1, y);
}
TEST_F(Counters, SectorsOfFetchesFromAPlane) {
    const TextureObject texture = TextureObject::pitched(in_.data(), 16, 64, 512);
    const Counts counts = counts_of(fetch_from_plane, 1, 32, out_.data(), texture.handle());
    EXPECT_EQ(counts.texture_requests, 2U);
    EXPECT_EQ(counts.texture_tag_requests, 16U);                   // of four lanes each
    EXPECT_EQ(counts.texture_sectors, 8U + 2U * (1 + 1 + 2 + 1));  // x - 1 is clamped at the left edge
}

TEST_F(Counters, TheSameInAnyOrderOfLaunches) {
    for (int i = 0; i < 3; ++i) {
        const Counts counts = counts_of(copy_by_branches, 64, 32, out_.data(), in_.data());
        expect_traffic(counts.global_load, 3 * 64, 64 * 64, 12 * 64);
    }
}

TEST_F(Counters, OneEntryForEachKernel) {
    take_counts();
    launch(shuffle, 1, 32, Stream(), out_.data(), in_.data());
    launch(copy_half, 1, 32, Stream(), out_.data(), in_.data());
    launch(shuffle, 1, 32, Stream(), out_.data(), in_.data());
    const std::vector<KernelCounts> counted = take_counts();
    ASSERT_EQ(counted.size(), 2U);
    EXPECT_EQ(counted[0].kernel, "shuffle");
    EXPECT_EQ(counted[0].launches, 2U);
    EXPECT_EQ(counted[1].kernel, "copy_half");
    EXPECT_TRUE(take_counts().empty());
}

}  // namespace
}  // namespace cudabook
