#include <cuda_awbarrier_primitives.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>

#include "common/cuda/ptx/mbarrier.cuh"
#include "common/cuda/ptx/tf32.cuh"
#include "tests/emulator/features.hpp"
#include "tests/emulator/features/result.cuh"
#include "tests/tensor_core_model/units.cuh"

namespace cudabook::test {
namespace {

// ----- Who a thread is

__global__ void indices_kernel(int* to) {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int* const mine = to + 3 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
    mine[0] = static_cast<int>(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z);
    mine[1] = static_cast<int>(blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z);
    mine[2] = warpSize;
}

__global__ void sizes_kernel(int* to) {
    if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z > 0) return;
    const unsigned sizes[] = {gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z};
    for (int i = 0; i < 6; ++i) to[i] = static_cast<int>(sizes[i]);
}

// ----- Shared and constant memory, barriers

__global__ void static_shared_kernel(int* to) {
    __shared__ int values[96];
    __shared__ float2 pairs[96];
    const unsigned i = threadIdx.x;
    values[i] = static_cast<int>(scrambled(i + 96 * blockIdx.x));
    pairs[i] = make_float2(static_cast<float>(i), static_cast<float>(blockIdx.x));
    __syncthreads();
    to[i + 96 * blockIdx.x] = values[95 - i] + static_cast<int>(pairs[95 - i].x + 1000 * pairs[i / 2].y);
}

__global__ void dynamic_shared_kernel(int* to, int size) {
    extern __shared__ __align__(16) unsigned char memory[];
    int* const values = reinterpret_cast<int*>(memory);
    for (int i = static_cast<int>(threadIdx.x); i < size; i += 128)
        values[i] = static_cast<int>(scrambled(i));
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < size; i += 128) to[i] = values[size - 1 - i];
}

std::string dynamic_shared() {
    const int size = 50000;  // 200000 bytes
    const DeviceArray<int> to(size);
    const Stream stream;
    launch_with_shared(dynamic_shared_kernel, 1, 128, size * sizeof(int), stream, to.data(), size);
    return text_of(to.download());
}

__constant__ int constants[8];
__device__ int device_variable;

__global__ void constants_kernel(int* to) {
    to[threadIdx.x] = constants[threadIdx.x];
    if (threadIdx.x == 0) device_variable = constants[7] + 1;
}

std::string constant_memory() {
    const int values[] = {7, -6, 5, -4, 3, -2, 1, 0};
    CUDA_CHECK(cudaMemcpyToSymbol(constants, values, sizeof values));
    CUDA_CHECK(cudaMemcpyToSymbol(constants, values, sizeof(int), 7 * sizeof(int)));
    std::vector<int> result = numbers_of(8, 1, 8, constants_kernel);
    int variable = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&variable, device_variable, sizeof variable));
    result.push_back(variable);
    return text_of(result);
}

/// Prefix sums, in eight steps.
__global__ void scan_kernel(int* to) {
    __shared__ int sums[2][256];
    const int i = static_cast<int>(threadIdx.x);
    int from = 0;
    sums[0][i] = static_cast<int>(scrambled(i) % 100);
    for (int distance = 1; distance < 256; distance *= 2) {
        __syncthreads();
        sums[1 - from][i] = sums[from][i] + (i >= distance ? sums[from][i - distance] : 0);
        from = 1 - from;
    }
    to[i] = sums[from][i];
}

__global__ void syncthreads_count_kernel(int* to) {
    to[threadIdx.x] = __syncthreads_count(static_cast<int>(threadIdx.x % 3)) + 1000 * __syncthreads_count(0);
}
__global__ void syncthreads_and_kernel(int* to) {
    to[threadIdx.x] = __syncthreads_and(threadIdx.x < 99) + 10 * __syncthreads_and(threadIdx.x != 77) +
                      100 * __syncthreads_and(4);
}
__global__ void syncthreads_or_kernel(int* to) {
    to[threadIdx.x] =
        __syncthreads_or(threadIdx.x == 98) + 10 * __syncthreads_or(0) + 100 * __syncthreads_or(-8);
}
/// Threads that have ended are not counted.
__global__ void barrier_after_end_kernel(int* to) {
    if (threadIdx.x >= 70) return;
    to[threadIdx.x] = __syncthreads_count(1);
}

__global__ void syncwarp_kernel(int* to) {
    __shared__ volatile int values[64];
    const unsigned i = threadIdx.x;
    int sum = static_cast<int>(scrambled(i) % 1000);
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        values[i] = sum;
        __syncwarp();
        sum += values[i ^ distance];
        __syncwarp();
    }
    if (i % 2 == 0) {
        values[i] = sum;
        __syncwarp(0x55555555);
        sum += values[i ^ 2];
    }
    to[i] = sum;
}

// ----- Shuffles, votes and the like

constexpr int shuffle_results = 3 * 32 + 7;

template <class T>
__device__ T value_of(unsigned i) {
    return static_cast<T>(static_cast<int>(scrambled(i) % 1000) - 500);
}

/// Calls `shuffle(value, operand, width)` for three widths and each operand, and for each type.
template <class Shuffle>
__device__ void shuffle_all(int* to, Shuffle shuffle) {
    const unsigned i = threadIdx.x;
    int* mine = to + i * shuffle_results;
    for (int width = 32; width >= 8; width /= 2)
        for (int operand = 0; operand < 32; ++operand)
            *mine++ = shuffle(static_cast<int>(scrambled(i)), operand, width);
    *mine++ = static_cast<int>(shuffle(value_of<unsigned>(i), 3, 32));
    *mine++ = static_cast<int>(shuffle(value_of<long>(i), 3, 32));
    *mine++ = static_cast<int>(shuffle(value_of<unsigned long>(i), 3, 32));
    *mine++ = static_cast<int>(shuffle(value_of<long long>(i) << 32, 3, 32) >> 32);
    *mine++ = static_cast<int>(shuffle(value_of<unsigned long long>(i), 3, 32));
    *mine++ = static_cast<int>(shuffle(value_of<float>(i) / 8, 3, 32) * 8);
    *mine++ = static_cast<int>(shuffle(value_of<double>(i) / 8, 3, 32) * 8) +
              static_cast<int>(__half2float(shuffle(__float2half(value_of<float>(i)), 3, 32)));
}
__global__ void shfl_kernel(int* to) {
    shuffle_all(to,
                [](auto value, int lane, int width) { return __shfl_sync(~0U, value, lane - 16, width); });
}
__global__ void shfl_up_kernel(int* to) {
    shuffle_all(to,
                [](auto value, int delta, int width) { return __shfl_up_sync(~0U, value, delta, width); });
}
__global__ void shfl_down_kernel(int* to) {
    shuffle_all(to,
                [](auto value, int delta, int width) { return __shfl_down_sync(~0U, value, delta, width); });
}
__global__ void shfl_xor_kernel(int* to) {
    shuffle_all(to, [](auto value, int mask, int width) { return __shfl_xor_sync(~0U, value, mask, width); });
}
/// Two groups of a warp's lanes shuffle in different ways; the last four lanes have ended.
__global__ void shfl_part_kernel(int* to) {
    const int i = static_cast<int>(threadIdx.x);
    if (i % 32 >= 28) return;
    if (i % 32 < 12)
        to[i] = __shfl_sync(0xfff, i, (i + 5) % 12);
    else
        to[i] = __shfl_xor_sync(0xffff000, i, 1) + __shfl_down_sync(0xffff000, 100 * i, 1, 4);
}

__global__ void votes_kernel(unsigned* to) {
    const unsigned i = threadIdx.x;
    const unsigned lane = i % 32;
    unsigned* const mine = to + 8 * i;
    mine[0] = __ballot_sync(~0U, lane % 3 == 0);
    mine[1] = __all_sync(~0U, lane < 32);
    mine[2] = __all_sync(~0U, lane != 31);
    mine[3] = __any_sync(~0U, lane == 17);
    mine[4] = __any_sync(~0U, i > 1000);
    if (lane >= 20) {
        mine[5] = __ballot_sync(0xfff00000, lane % 2);
        mine[6] = __all_sync(0xfff00000, lane >= 20);
        mine[7] = __any_sync(0xfff00000, lane < 20);
    }
}

__global__ void match_kernel(unsigned* to) {
    const unsigned i = threadIdx.x;
    unsigned* const mine = to + 8 * i;
    int all = 5;
    mine[0] = __match_any_sync(~0U, static_cast<int>(scrambled(i) % 4));
    mine[1] = __match_any_sync(~0U, static_cast<unsigned long long>(i % 5) << 40);
    mine[2] = __match_any_sync(~0U, i % 2 == 0 ? 0.0F : -0.0F);
    mine[3] = __match_all_sync(~0U, i / 32, &all);
    mine[4] = static_cast<unsigned>(all);
    mine[5] = __match_all_sync(~0U, i, &all);
    mine[6] = static_cast<unsigned>(all);
    if (i % 32 < 9) mine[7] = __match_any_sync(0x1ff, i % 3 * 1.5);
}

__global__ void reduce_kernel(int* to) {
#if __CUDA_ARCH__ >= 800
    const unsigned i = threadIdx.x;
    const unsigned word = scrambled(i);
    const int number = static_cast<int>(word);
    int* const mine = to + 10 * i;
    mine[0] = __reduce_add_sync(~0U, number);
    mine[1] = __reduce_min_sync(~0U, number);
    mine[2] = __reduce_max_sync(~0U, number);
    mine[3] = static_cast<int>(__reduce_add_sync(~0U, word));
    mine[4] = static_cast<int>(__reduce_min_sync(~0U, word));
    mine[5] = static_cast<int>(__reduce_max_sync(~0U, word));
    mine[6] = static_cast<int>(__reduce_and_sync(~0U, word | 0xf0f0));
    mine[7] = static_cast<int>(__reduce_or_sync(~0U, word & 0x0ff0));
    mine[8] = static_cast<int>(__reduce_xor_sync(~0U, word));
    if (i % 32 < 7) mine[9] = __reduce_max_sync(0x7f, number);
#endif
}

// ----- Atomic operations, whose results do not depend on the order

template <class T>
__device__ void add_to(T* memory, unsigned i) {
    atomicAdd(memory, static_cast<T>(i % 7));
    atomicAdd_block(memory + 1, static_cast<T>(1));
    atomicAdd_system(memory + 1, static_cast<T>(i % 2));
}
__global__ void atomic_add_kernel(double* to) {
    __shared__ int ints[2];
    __shared__ unsigned words[2];
    __shared__ unsigned long long longs[2];
    __shared__ float floats[2];
    __shared__ double doubles[2];
    const unsigned i = threadIdx.x;
    if (i < 2) ints[i] = words[i] = longs[i] = floats[i] = doubles[i] = 0;
    __syncthreads();
    add_to(ints, i);
    add_to(words, i);
    add_to(longs, i);
    add_to(floats, i);
    add_to(doubles, i);
    atomicSub(ints, 3);
    atomicSub(words, 3U);
    __syncthreads();
    if (i < 2) {
        atomicAdd(to + i, ints[i]);
        atomicAdd(to + 2 + i, words[i]);
        atomicAdd(to + 4 + i, static_cast<double>(longs[i]));
        atomicAdd(to + 6 + i, floats[i]);
        atomicAdd(to + 8 + i, doubles[i]);
    }
}

__global__ void atomic_minmax_kernel(unsigned long long* to) {
    __shared__ int least;
    __shared__ int most;
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    const int number = static_cast<int>(scrambled(i));
    if (threadIdx.x == 0) least = most = 0;
    __syncthreads();
    atomicMin(&least, number);
    atomicMax(&most, number);
    __syncthreads();
    atomicMax(to, static_cast<unsigned long long>(scrambled(i)) << 20);
    atomicMin(reinterpret_cast<long long*>(to + 1), static_cast<long long>(number) << 20);
    atomicMax(reinterpret_cast<unsigned*>(to + 2), scrambled(i));
    atomicMin(reinterpret_cast<int*>(to + 3), least);
    atomicMax(reinterpret_cast<int*>(to + 4), most);
}

__global__ void atomic_bits_kernel(unsigned* to) {
    const unsigned word = scrambled(threadIdx.x + blockIdx.x * blockDim.x);
    atomicOr(to, word & 0x0f0f00f0);
    atomicXor(to + 1, word);
    atomicOr(to + 2, 0xffffffff);
    __syncthreads();
    atomicAnd(to + 2, word | 0xff00f00f);
    atomicXor(reinterpret_cast<unsigned long long*>(to + 4), static_cast<unsigned long long>(word) << 16);
}

/// Exchanges lose no value; a loop of atomicCAS changes a word; a lock protects a plain addition.
__global__ void atomic_exchange_kernel(unsigned* to) {
    atomicAdd(to, atomicExch(to + 1, scrambled(threadIdx.x)));
    atomicInc(to + 2, 9);
    atomicDec(to + 3, 6);
    unsigned old = atomicAdd(to + 4, 0);
    for (unsigned seen = old + 1; seen != old;) {
        seen = old;
        old = atomicCAS(to + 4, seen, seen * 2 + 1);
    }
    float* const exchanged = reinterpret_cast<float*>(to + 5);
    atomicAdd(exchanged + 1, atomicExch(exchanged, 1.0F));
    while (atomicCAS(to + 7, 0U, 1U) != 0) __nanosleep(20);
    __threadfence();
    volatile unsigned* const counter = to + 8;
    *counter = *counter + 1;
    __threadfence();
    atomicExch(to + 7, 0U);
}

__device__ volatile unsigned parts[60];

/// The block that counts last adds up what the others have written.
__global__ void threadfence_kernel(unsigned* to) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = scrambled(blockIdx.x);
        __threadfence();
        last = atomicAdd(to, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; ++i) to[1] += parts[i];
}

// ----- Asynchronous copies

__global__ void pipeline_kernel(int* to, const int* from) {
    __shared__ __align__(16) int stages[2][256];
    const unsigned i = threadIdx.x;
    const auto copy = [&](unsigned tile) {
        int* const stage = stages[tile % 2];
        const int* const tile_from = from + 256 * tile;
        __pipeline_memcpy_async(stage + i, tile_from + i, 4);
        __pipeline_memcpy_async(stage + 64 + 2 * (i % 32), tile_from + 64 + 2 * (i % 32), 8, i % 3);
        __pipeline_memcpy_async(stage + 128 + 4 * (i % 32), tile_from + 128 + 4 * (i % 32), 16,
                                i % 32 == 5 ? 7 : 0);
        __pipeline_commit();
    };
    if (i >= 32) return;  // only one warp copies
    copy(0);
    for (unsigned tile = 0; tile < 4; ++tile) {
        if (tile < 3) copy(tile + 1);
        __pipeline_wait_prior(tile < 3 ? 1 : 0);
        __syncwarp();
        for (unsigned k = 0; k < 256; k += 32)
            if (k != 32) to[256 * tile + k + i] = stages[tile % 2][k + (i + 1) % 32];
        __syncwarp();
    }
}

std::vector<int> random_numbers(std::size_t size) {
    std::vector<int> numbers(size);
    for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<int>(scrambled(static_cast<unsigned>(i)));
    return numbers;
}

std::string pipeline_copies() {
    const DeviceArray<int> from{std::span<const int>(random_numbers(1024))};
    return result_of(1024, 1, 64, pipeline_kernel, from.data());
}

/// One warp passes numbers to the other through one buffer, round after round.
__global__ void mbarrier_kernel(int* to) {
#if __CUDA_ARCH__ >= 800
    __shared__ __mbarrier_t full;
    __shared__ __mbarrier_t empty;
    __shared__ int values[32];
    const unsigned i = threadIdx.x;
    if (i == 0) {
        __mbarrier_init(&full, 32);
        __mbarrier_init(&empty, 32);
    }
    __syncthreads();
    for (int round = 0; round < 6; ++round) {
        const bool odd = round % 2 != 0;
        if (i < 32) {
            if (round > 0)
                while (!__mbarrier_test_wait_parity(&empty, !odd)) {
                }
            values[i] = static_cast<int>(i) + 100 * round;
            __mbarrier_arrive(&full);
        } else {
            while (!__mbarrier_test_wait_parity(&full, odd)) {
            }
            to[32 * round + i - 32] = values[63 - i];
            __mbarrier_arrive(&empty);
        }
    }
#endif
}

/// Threads wait by tokens, and some drop out of the barrier.
__global__ void mbarrier_drop_kernel(int* to) {
#if __CUDA_ARCH__ >= 900
    __shared__ __mbarrier_t barrier;
    __shared__ int values[64];
    const unsigned i = threadIdx.x;
    if (i == 0) __mbarrier_init(&barrier, 64);
    __syncthreads();
    values[i] = static_cast<int>(scrambled(i));
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 100)) {
    }
    to[i] = values[(i + 33) % 64];
    if (i >= 40) {
        __mbarrier_arrive_and_drop(&barrier);
        return;
    }
    token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    values[i] = to[i] + 1;
    token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    to[i] = values[(i + 7) % 40];
#endif
}

__global__ void bulk_copy_kernel(int* to, const int* from) {
#if __CUDA_ARCH__ >= 900
    __shared__ __align__(128) int tile[512];
    __shared__ ptx::Barrier full;
    __shared__ ptx::Barrier empty;
    const unsigned i = threadIdx.x;
    if (i == 0) {
        ptx::init(full, 1);
        ptx::init(empty, 64);
        ptx::publish_barriers();
    }
    __syncthreads();
    if (i == 64) {
        for (unsigned round = 0; round < 3; ++round) {
            if (round > 0) ptx::wait(empty, (round - 1) & 1);
            ptx::arrive_and_expect(full, sizeof tile);
            ptx::copy(tile, from + 512 * round, sizeof tile / 2, full);
            ptx::copy(tile + 256, from + 512 * round + 256, sizeof tile / 2, full);
        }
    } else if (i < 64) {
        for (unsigned round = 0; round < 3; ++round) {
            ptx::wait(full, round & 1);
            for (unsigned k = i; k < 512; k += 64) to[512 * round + k] = tile[511 - k];
            ptx::arrive(empty);
        }
    }
#endif
}

std::string bulk_copies() {
    const DeviceArray<int> from{std::span<const int>(random_numbers(3 * 512))};
    return result_of(3 * 512, 1, 96, bulk_copy_kernel, from.data());
}

// ----- Tensor cores

template <class Unit>
__global__ void tensor_core_kernel(float* to) {
#if __CUDA_ARCH__ >= 800
    __shared__ __align__(128) Tile<Unit> tile;
    multiply(tile, HostileNumbers(blockIdx.x, Unit::range));
    for (int i = static_cast<int>(threadIdx.x); i < side * side; i += 128)
        to[static_cast<int>(blockIdx.x) * side * side + i] = static_cast<float>(tile.d[i]);
#endif
}

/// The products of numbers that are hard to add: two for each kind of such numbers.
template <class Unit>
std::string tensor_cores() {
    constexpr int products = 2 * static_cast<int>(Hostile::count);
    return result_of(products * side * side, products, 128, tensor_core_kernel<Unit>);
}

// Several steps of wgmma, with descriptors that advance, and more columns. The factors are small integers.

/// The parts of both factors that four instructions multiply, in the order of the core matrices.
template <class Element, int columns>
struct WgmmaFactors {
    Element a[4 * 64 * 32 / sizeof(Element)];
    Element b[4 * columns * 32 / sizeof(Element)];
};

template <class Element, int columns>
__global__ void wgmma_kernel(float* to, const WgmmaFactors<Element, columns>* factors) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    __shared__ __align__(128) WgmmaFactors<Element, columns> shared;
    __shared__ ptx::Barrier full;
    const unsigned thread = threadIdx.x;
    if (thread == 0) {
        ptx::init(full, 1);
        ptx::publish_barriers();
        ptx::arrive_and_expect(full, sizeof shared);
        ptx::copy(&shared, factors, sizeof shared, full);
    }
    __syncthreads();
    ptx::wait(full, 0);
    const std::uint64_t a = ptx::describe(shared.a, 64 * 16, 128);
    const std::uint64_t b = ptx::describe(shared.b, columns * 16, 128);
    float sums[columns / 2];
    ptx::begin_products();
#pragma unroll
    for (int step = 0; step < 4; ++step)
        ptx::multiply<Element>(sums, a + step * (2 * 64), b + step * (2 * columns), step > 0);
    ptx::end_products();
    ptx::await_products_before_last();
    ptx::await_products();
    for (unsigned i = 0; i < columns / 2; ++i) to[columns / 2 * thread + i] = sums[i];
#endif
}

template <class Element, int columns>
std::string wgmma() {
    using Factors = WgmmaFactors<Element, columns>;
    constexpr int of_a = sizeof(Factors::a) / sizeof(Element);
    constexpr int of_b = sizeof(Factors::b) / sizeof(Element);
    std::vector<Factors> factors(1);
    const std::vector<int> numbers = random_numbers(of_a + of_b);
    for (int i = 0; i < of_a; ++i) factors[0].a[i] = static_cast<float>(numbers[i] % 32);
    for (int i = 0; i < of_b; ++i) factors[0].b[i] = static_cast<float>(numbers[of_a + i] % 32);
    const DeviceArray<Factors> on_device{std::span<const Factors>(factors)};
    return result_of(64 * columns, 1, 128, wgmma_kernel<Element, columns>, on_device.data());
}

__global__ void tf32_kernel(unsigned* to) {
    const unsigned special[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                0x7f800001, 0x7f7fffff, 0xff7ff000, 0x00000fff, 0x00001000,
                                0x00800fff, 0x3f801000, 0x3f800fff, 0xbf803000, 0x3fffffff};
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    to[i] = __float_as_uint(ptx::to_tf32(__uint_as_float(i < 15 ? special[i] : scrambled(i))));
}

constexpr Feature thread_table[] = {
    {"indices", [] { return result_of(24 * 12 * 3, dim3(2, 3, 4), dim3(3, 2, 2), indices_kernel); }},
    {"sizes", [] { return result_of(6, dim3(2, 3, 4), dim3(5, 6, 7), sizes_kernel); }},
    {"static shared memory", [] { return result_of(960, 10, 96, static_shared_kernel); }},
    {"dynamic shared memory", dynamic_shared, true},
    {"constant memory", constant_memory},
    {"__syncthreads", [] { return result_of(256, 1, 256, scan_kernel); }},
    {"__syncthreads_count", [] { return result_of(100, 1, 100, syncthreads_count_kernel); }},
    {"__syncthreads_and", [] { return result_of(100, 1, 100, syncthreads_and_kernel); }},
    {"__syncthreads_or", [] { return result_of(100, 1, 100, syncthreads_or_kernel); }},
    {"__syncthreads after some have ended", [] { return result_of(100, 1, 100, barrier_after_end_kernel); }},
    {"__syncwarp", [] { return result_of(64, 1, 64, syncwarp_kernel); }},
    {"__shfl_sync", [] { return result_of(64 * shuffle_results, 1, 64, shfl_kernel); }},
    {"__shfl_up_sync", [] { return result_of(64 * shuffle_results, 1, 64, shfl_up_kernel); }},
    {"__shfl_down_sync", [] { return result_of(64 * shuffle_results, 1, 64, shfl_down_kernel); }},
    {"__shfl_xor_sync", [] { return result_of(64 * shuffle_results, 1, 64, shfl_xor_kernel); }},
    {"shuffles of some lanes", [] { return result_of(32, 1, 32, shfl_part_kernel); }},
    {"votes", [] { return result_of(64 * 8, 1, 64, votes_kernel); }},
    {"__match_any_sync, __match_all_sync", [] { return result_of(64 * 8, 1, 64, match_kernel); }},
    {"__reduce_..._sync", [] { return result_of(64 * 10, 1, 64, reduce_kernel); }},
    {"atomicAdd, atomicSub", [] { return result_of(10, 5, 100, atomic_add_kernel); }},
    {"atomicMin, atomicMax", [] { return result_of(5, 5, 100, atomic_minmax_kernel); }},
    {"atomicAnd, atomicOr, atomicXor", [] { return result_of(6, 1, 100, atomic_bits_kernel); }},
    {"atomicExch, atomicInc, atomicDec, atomicCAS",
     [] {
         std::vector<unsigned> numbers = numbers_of(9, 4, 25, atomic_exchange_kernel);
         numbers[0] += numbers[1];  // which thread exchanges last is not determined
         numbers[1] = 0;
         return text_of(numbers);
     }},
    {"__threadfence", [] { return result_of(2, 60, 64, threadfence_kernel); }},
    {"asynchronous copies", pipeline_copies},
    {"mbarrier", [] { return result_of(6 * 32, 1, 64, mbarrier_kernel); }},
    {"mbarrier: tokens, threads that leave", [] { return result_of(64, 1, 64, mbarrier_drop_kernel); }},
    {"bulk copies", bulk_copies},
    {"mma of TF32", tensor_cores<MmaOfTf32>, true},
    {"wgmma of TF32", tensor_cores<WgmmaOfTf32>, true},
    {"wgmma of __half", tensor_cores<WgmmaOfHalf>, true},
    {"wgmma, four steps and 128 columns", wgmma<float, 128>},
    {"wgmma, four steps and 256 columns", wgmma<float, 256>},
    {"wgmma of __half, four steps and 128 columns", wgmma<__half, 128>},
    {"wgmma of __half, four steps and 64 columns", wgmma<__half, 64>},
    {"wmma of TF32", tensor_cores<WmmaOfTf32>, true},
    {"wmma of __half", tensor_cores<WmmaOfHalf<float, float>>, true},
    {"wmma of __half, added to __half", tensor_cores<WmmaOfHalf<__half, __half>>, true},
    {"wmma of __nv_bfloat16", tensor_cores<WmmaOfBfloat16<>>, true},
    {"TF32", [] { return result_of(10 * 256, 10, 256, tf32_kernel); }},
    {"TF32, special numbers", [] { return result_of(15, 1, 15, tf32_kernel); }},
};

}  // namespace

std::span<const Feature> thread_features() { return thread_table; }

}  // namespace cudabook::test
