// Atomic operations on vectors, on 16 bytes and on 2, loads and stores with hints, and functions that say
// in which memory an address is.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class CudaWideAtomics : public test::Gpu {
  protected:
    /// Vectors and 16 bytes need compute capability 9.0.
    void SetUp() override {
        test::Gpu::SetUp();
        if (!IsSkipped() && capability_of_device() < 90) GTEST_SKIP() << "needs compute capability 9.0";
    }
};

template <class T>
DeviceArray<T> zeroed(std::size_t size) {
    DeviceArray<T> array(size);
    CUDA_CHECK(cudaMemset(array.data(), 0, size * sizeof(T)));
    return array;
}

struct alignas(16) TwoWords {
    unsigned long long low, high;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

__global__ void add_vectors(float2* twos, float4* fours) {
    const auto i = static_cast<float>(threadIdx.x);
    atomicAdd(&twos[threadIdx.x % 2], make_float2(1, i));
    atomicAdd_system(&fours[1], make_float4(1, 2, 3, -i));
    const float2 old = atomicAdd_block(&twos[2 + blockIdx.x], make_float2(1, 0));
    if (old.x == 255 && old.y == 0) twos[2 + blockIdx.x].y = 7;
}

/// Counts in both words at once, by a loop of atomicCAS.
__global__ void count_in_words(TwoWords* counter, TwoWords* exchanged) {
    TwoWords old = *counter;
    for (;;) {
        const TwoWords next{old.low + 1, old.high + 3};
        const TwoWords found = atomicCAS(counter, old, next);
        if (found.low == old.low && found.high == old.high) break;
        old = found;
    }
    // What is taken out was put in by exactly one thread.
    const unsigned long long mine = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const TwoWords taken = atomicExch(exchanged, TwoWords{mine, ~mine});
    if (taken.low != 0 && taken.high != ~taken.low) exchanged[1].low = 1;
    atomicAdd(&exchanged[1].high, taken.low);
}

#else  // these GPUs have no such instructions

__global__ void add_vectors(float2*, float4*) {}
__global__ void count_in_words(TwoWords*, TwoWords*) {}

#endif

TEST_F(CudaWideAtomics, SumsOfVectors) {
    const DeviceArray<float2> twos = zeroed<float2>(6);
    const DeviceArray<float4> fours = zeroed<float4>(2);
    launch(add_vectors, 4, 256, Stream(), twos.data(), fours.data());
    const std::vector<float2> two = twos.download();
    EXPECT_EQ(two[0].x, 512);
    EXPECT_EQ(two[0].y, 4 * 127 * 128);
    EXPECT_EQ(two[1].x, 512);
    EXPECT_EQ(two[1].y, 4 * 128 * 128);
    for (std::size_t i = 2; i < 6; ++i) {
        EXPECT_EQ(two[i].x, 256);
        EXPECT_EQ(two[i].y, 7);
    }
    const std::vector<float4> four = fours.download();
    EXPECT_EQ(four[0].x, 0);
    EXPECT_EQ(four[1].x, 1024);
    EXPECT_EQ(four[1].y, 2048);
    EXPECT_EQ(four[1].z, 3072);
    EXPECT_EQ(four[1].w, -4 * 255 * 128);
}

TEST_F(CudaWideAtomics, SixteenBytes) {
    const DeviceArray<TwoWords> counter = zeroed<TwoWords>(1);
    const DeviceArray<TwoWords> exchanged = zeroed<TwoWords>(2);
    launch(count_in_words, 8, 128, Stream(), counter.data(), exchanged.data());
    const TwoWords count = counter.download()[0];
    EXPECT_EQ(count.low, 1024U);
    EXPECT_EQ(count.high, 3072U);
    const std::vector<TwoWords> got = exchanged.download();
    EXPECT_EQ(got[1].low, 0U);
    EXPECT_EQ(got[0].high, ~got[0].low);
    EXPECT_EQ(got[1].high + got[0].low, 1024U * 1025 / 2);
}

__global__ void count_in_halfwords(unsigned short* counters) {
    unsigned short* const mine = &counters[threadIdx.x % 2];
    unsigned short old = *mine;
    for (;;) {
        const unsigned short found = atomicCAS(mine, old, static_cast<unsigned short>(old + 1));
        if (found == old) break;
        old = found;
    }
}

TEST_F(CudaWideAtomics, Halfwords) {
    const DeviceArray<unsigned short> counters = zeroed<unsigned short>(2);
    launch(count_in_halfwords, 4, 256, Stream(), counters.data());
    EXPECT_EQ(counters.download(), (std::vector<unsigned short>{512, 512}));
}

__global__ void loads_and_stores(const int4* from, int4* to, unsigned* spaces) {
    const unsigned i = threadIdx.x;
    __stwb(&to[i], __ldg(&from[i]));
    __stcg(&to[i + 32], __ldca(&from[i]));
    __stcs(&to[i + 64], __ldcg(&from[i]));
    __stwt(&to[i + 96], __ldcs(&from[i]));
    __stwb(&to[i + 128].x, __ldlu(&from[i].x) + __ldcv(&from[i].y));
    __nanosleep(20);

    __shared__ int shared[32];
    __shared__ float another;
    extern __shared__ int dynamic[];
    int local[4] = {static_cast<int>(i), 1, 2, 3};
    shared[i] = local[i % 4];
    dynamic[i] = shared[i];
    another = 1;
    __syncthreads();
    spaces[0] = __isShared(&shared[31]) && __isShared(dynamic) && __isShared(&another) && !__isShared(from);
    spaces[1] = __isGlobal(from) && !__isGlobal(&shared[3]) && !__isGlobal(local);
    spaces[2] = __isLocal(&local[i % 4]) && !__isLocal(shared) && !__isLocal(to);
    const int* const back =
        static_cast<const int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&shared[5])));
    spaces[3] = back == &shared[5] && __cvta_global_to_generic(__cvta_generic_to_global(to)) == to;
    __builtin_assume(i < 32);
}

TEST_F(CudaWideAtomics, LoadsStoresAndAddresses) {
    std::vector<int4> from;
    for (int i = 0; i < 32; ++i) from.push_back(make_int4(i, 2 * i, 3 * i, 4 * i));
    const DeviceArray<int4> input{std::span<const int4>(from)};
    const DeviceArray<int4> output = zeroed<int4>(160);
    const DeviceArray<unsigned> spaces = zeroed<unsigned>(4);
    launch_with_shared(loads_and_stores, 1, 32, 32 * sizeof(int), Stream(), input.data(), output.data(),
                       spaces.data());
    const std::vector<int4> got = output.download();
    for (std::size_t i = 0; i < 128; ++i)
        EXPECT_EQ(std::memcmp(&got[i], &from[i % 32], sizeof(int4)), 0) << i;
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(got[128 + i].x, from[i].x + from[i].y);
    EXPECT_EQ(spaces.download(), (std::vector<unsigned>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace cudabook
