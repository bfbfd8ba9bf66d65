// libcu++ in kernels: barriers, pipelines, atomic objects, semaphores, latches and cuda::std, with the same
// results on a GPU and on the emulated GPU.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>
#include <new>
#include <numeric>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

namespace cg = cooperative_groups;

class CudaBarrier : public test::Gpu {};
class CudaPipeline : public test::Gpu {};
class CudaAtomic : public test::Gpu {};
class CudaStd : public test::Gpu {};

std::vector<int> count_up(std::size_t count) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

/// Runs the kernel, which writes `count` numbers.
template <class Kernel, class... Arguments>
std::vector<int> results_of(Kernel kernel, dim3 grid, dim3 block, std::size_t count, Arguments... arguments) {
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(count))};
    launch(kernel, grid, block, Stream(), to.data(), arguments...);
    return to.download();
}

// ----- Barriers

// Without this, nvcc reports that objects in shared memory have constructors.
#ifndef CUDABOOK_EMULATION
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

/// In each step, each thread reads what its neighbour has written in the step before.
__global__ void neighbours_kernel(int* to) {
    __shared__ BlockBarrier barrier;
    __shared__ int numbers[2][64];
    const unsigned i = threadIdx.x;
    if (i == 0) init(&barrier, blockDim.x);
    numbers[0][i] = static_cast<int>(i);
    __syncthreads();
    for (int step = 0; step < 5; ++step) {
        numbers[(step + 1) % 2][i] = numbers[step % 2][(i + 1) % 64] + 1;
        if (step % 2 == 0) {
            BlockBarrier::arrival_token token = barrier.arrive();
            barrier.wait(std::move(token));
        } else {
            barrier.arrive_and_wait();
        }
    }
    to[i] = numbers[1][i];
}

TEST_F(CudaBarrier, ThreadsSeeWhatOthersWroteBeforeTheyArrived) {
    const std::vector<int> got = results_of(neighbours_kernel, 1, 64, 64);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i], (i + 5) % 64 + 5);
}

__global__ void drop_kernel(int* to) {
    __shared__ BlockBarrier barrier;
    __shared__ int last;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        last = 0;
    }
    __syncthreads();
    // In phase n, the threads from number n on take part.
    for (unsigned phase = 0; phase < threadIdx.x; ++phase) barrier.arrive_and_wait();
    atomicMax(&last, static_cast<int>(threadIdx.x));
    to[threadIdx.x] = last;
    barrier.arrive_and_drop();
}

TEST_F(CudaBarrier, AThreadThatDropsIsNoLongerExpected) {
    EXPECT_EQ(results_of(drop_kernel, 1, 50, 50), [] {
        std::vector<int> expected(50);
        std::iota(expected.begin(), expected.end(), 0);
        return expected;
    }());
}

/// The threads of the first warp wait, by the parity, for four arrivals, all of thread 32.
__global__ void parity_kernel(int* to) {
    __shared__ BlockBarrier full;
    __shared__ BlockBarrier empty;
    __shared__ int number;
    if (threadIdx.x == 0) {
        init(&full, 4);
        init(&empty, 32);
    }
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 6; ++round) {
        if (threadIdx.x == 32) {
            if (round > 0) empty.wait_parity((round - 1) % 2 != 0);
            number = 10 + round;
            static_cast<void>(full.arrive(3));
            static_cast<void>(full.arrive());
        } else if (threadIdx.x < 32) {
            full.wait_parity(round % 2 != 0);
            sum += number;
            static_cast<void>(empty.arrive());
        }
    }
    to[threadIdx.x] = sum;
}

TEST_F(CudaBarrier, WaitParity) {
    const std::vector<int> got = results_of(parity_kernel, 1, 64, 64);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i], i < 32 ? 75 : 0);
}

__global__ void try_wait_kernel(int* to) {
    __shared__ BlockBarrier barrier;
    if (threadIdx.x == 0) init(&barrier, 2);
    __syncthreads();
    if (threadIdx.x == 0) {
        auto token = barrier.arrive();
        to[0] = barrier.try_wait_for(std::move(token), cuda::std::chrono::nanoseconds(100)) ? 1 : 0;
        to[1] = barrier.try_wait_parity_for(true, cuda::std::chrono::microseconds(1)) ? 1 : 0;
        token = barrier.arrive();
        int tries = 0;
        while (!barrier.try_wait_parity_for(false, cuda::std::chrono::microseconds(1))) ++tries;
        to[2] = tries == 0 ? 1 : 0;
    }
}

TEST_F(CudaBarrier, TryWait) { EXPECT_EQ(results_of(try_wait_kernel, 1, 1, 3), (std::vector<int>{0, 1, 1})); }

__global__ void memcpy_kernel(int* to, const int* from, int bytes_at_once) {
    __shared__ __align__(16) int numbers[256];
    __shared__ BlockBarrier barrier;
    const cg::thread_block block = cg::this_thread_block();
    const unsigned i = threadIdx.x;
    if (i == 0) init(&barrier, block.size());
    block.sync();
    if (bytes_at_once == 0) {
        cuda::memcpy_async(block, numbers, from, sizeof(numbers), barrier);
    } else if (bytes_at_once == 4) {
        for (int k = 0; k < 4; ++k)
            cuda::memcpy_async(&numbers[64 * k + i], &from[64 * k + i], sizeof(int), barrier);
    } else if (bytes_at_once == 16) {
        cuda::memcpy_async(&numbers[4 * i], &from[4 * i], cuda::aligned_size_t<16>(16), barrier);
    } else {
        cuda::memcpy_async(block, static_cast<void*>(numbers), static_cast<const void*>(from),
                           cuda::aligned_size_t<16>(sizeof(numbers)), barrier);
    }
    barrier.arrive_and_wait();
    for (int k = 0; k < 4; ++k) to[64 * k + i] = numbers[255 - (64 * k + i)];
}

TEST_F(CudaBarrier, MemcpyAsync) {
    const std::vector<int> from = count_up(256);
    const DeviceArray<int> on_gpu{std::span<const int>(from)};
    for (const int bytes_at_once : {0, 4, 16, 256}) {
        const std::vector<int> got =
            results_of(memcpy_kernel, 1, 64, 256, static_cast<const int*>(on_gpu.data()), bytes_at_once);
        for (int i = 0; i < 256; ++i) EXPECT_EQ(got[i], from[255 - i]) << bytes_at_once << " " << i;
    }
}

// Needs compute capability 9.0.
__global__ void transactions_kernel(int* to, const int* from) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    __shared__ __align__(16) int numbers[64];
    __shared__ BlockBarrier barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    BlockBarrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(numbers, from, cuda::aligned_size_t<16>(sizeof(numbers)), barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(numbers));
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    to[threadIdx.x] = numbers[63 - threadIdx.x];
#endif
}

TEST_F(CudaBarrier, WaitsForBytes) {
    if (capability_of_device() < 90) GTEST_SKIP() << "needs compute capability 9.0";
    const std::vector<int> from = count_up(64);
    const DeviceArray<int> on_gpu{std::span<const int>(from)};
    EXPECT_EQ(results_of(transactions_kernel, 1, 64, 64, static_cast<const int*>(on_gpu.data())),
              std::vector<int>(from.rbegin(), from.rend()));
}

struct CountPhases {
    int* phases;
    __host__ __device__ void operator()() const noexcept { ++*phases; }
};

__global__ void completion_kernel(int* to) {
    using Barrier = cuda::barrier<cuda::thread_scope_block, CountPhases>;
    __shared__ int phases;
    __shared__ __align__(alignof(Barrier)) unsigned char memory[sizeof(Barrier)];
    auto* const barrier = reinterpret_cast<Barrier*>(memory);
    if (threadIdx.x == 0) {
        phases = 0;
        init(barrier, blockDim.x, CountPhases{&phases});
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        barrier->arrive_and_wait();
        sum = 10 * sum + phases;
        barrier->arrive_and_wait();
    }
    to[threadIdx.x] = sum;
}

TEST_F(CudaBarrier, CallsItsCompletionFunctionOnceInAPhase) {
    EXPECT_EQ(results_of(completion_kernel, 1, 40, 40), std::vector<int>(40, 1357));
}

__device__ cuda::barrier<cuda::thread_scope_device> barrier_of_grid;
__device__ int written_by_blocks[4];

__global__ void init_grid_barrier_kernel() {
    init(&barrier_of_grid, 4);
    for (int& number : written_by_blocks) number = 0;
}

__global__ void grid_barrier_kernel(int* to) {
    int sum = 0;
    for (int step = 1; step <= 3; ++step) {
        if (threadIdx.x == 0) {
            written_by_blocks[blockIdx.x] += step * static_cast<int>(blockIdx.x + 1);
            barrier_of_grid.arrive_and_wait();
        }
        __syncthreads();
        for (const int number : written_by_blocks) sum += number;
        __syncthreads();
        if (threadIdx.x == 0) barrier_of_grid.arrive_and_wait();
        __syncthreads();
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

TEST_F(CudaBarrier, OfSeveralBlocks) {
    launch(init_grid_barrier_kernel, 1, 1, Stream());
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(4 * 32))};
    int* data = to.data();
    void* arguments[] = {&data};
    ASSERT_EQ(cudaLaunchCooperativeKernel(grid_barrier_kernel, 4, 32, arguments), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(to.download(), std::vector<int>(4 * 32, 10 * (1 + 3 + 6)));
}

TEST_F(CudaBarrier, OnTheHost) {
    cuda::barrier<cuda::thread_scope_system> barrier(3);
    cuda::barrier<cuda::thread_scope_block> other(2);
    int numbers[3] = {};
    int sums[3] = {};
    const auto add = [&](int i) {
        numbers[i] = i + 1;
        barrier.arrive_and_wait();
        sums[i] = numbers[0] + numbers[1] + numbers[2];
        if (i < 2) other.arrive_and_wait();
    };
    std::thread first(add, 0);
    std::thread second(add, 1);
    add(2);
    first.join();
    second.join();
    for (const int sum : sums) EXPECT_EQ(sum, 6);
}

// ----- Pipelines

/// Copies pieces of a block's length through a pipeline of this thread, with `stages` copies under way.
template <int stages>
__global__ void thread_pipeline_kernel(int* to, const int* from, int pieces) {
    __shared__ int numbers[stages][32];
    const unsigned i = threadIdx.x;
    const auto size = cuda::aligned_size_t<alignof(int)>(sizeof(int));
    cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
    int fetched = 0;
    for (int piece = 0; piece < pieces; ++piece) {
        for (; fetched < pieces && fetched < piece + stages; ++fetched) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&numbers[fetched % stages][i], &from[32 * fetched + i], size, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        __syncthreads();
        to[32 * piece + i] = 2 * numbers[piece % stages][31 - i];
        __syncthreads();
        pipeline.consumer_release();
    }
}

TEST_F(CudaPipeline, OfAThread) {
    const std::vector<int> from = count_up(7 * 32);
    const DeviceArray<int> on_gpu{std::span<const int>(from)};
    const auto check = [&](auto kernel) {
        const std::vector<int> got =
            results_of(kernel, 1, 32, 7 * 32, static_cast<const int*>(on_gpu.data()), 7);
        for (int i = 0; i < 7 * 32; ++i) EXPECT_EQ(got[i], 2 * from[i / 32 * 32 + 31 - i % 32]);
    };
    check(thread_pipeline_kernel<1>);
    check(thread_pipeline_kernel<3>);
}

__global__ void wait_prior_kernel(int* to, const int* from) {
    __shared__ int numbers[2][32];
    const unsigned i = threadIdx.x;
    auto pipeline = cuda::make_pipeline();
    for (int k = 0; k < 2; ++k) {
        cuda::memcpy_async(&numbers[k][i], &from[32 * k + i], sizeof(int), pipeline);
        pipeline.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    to[i] = numbers[0][i];
    cuda::pipeline_consumer_wait_prior<0>(pipeline);
    to[32 + i] = numbers[1][i];
}

TEST_F(CudaPipeline, WaitPrior) {
    const std::vector<int> from = count_up(64);
    const DeviceArray<int> on_gpu{std::span<const int>(from)};
    EXPECT_EQ(results_of(wait_prior_kernel, 1, 32, 64, static_cast<const int*>(on_gpu.data())), from);
}

using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

/// All threads copy and compute.
__global__ void block_pipeline_kernel(int* to, const int* from, int pieces) {
    __shared__ State state;
    __shared__ __align__(16) int numbers[2][64];
    const cg::thread_block block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int fetched = 0;
    for (int piece = 0; piece < pieces; ++piece) {
        for (; fetched < pieces && fetched < piece + 2; ++fetched) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, numbers[fetched % 2], from + 64 * fetched,
                               cuda::aligned_size_t<16>(sizeof(numbers[0])), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        to[64 * piece + threadIdx.x] = numbers[piece % 2][63 - threadIdx.x];
        pipeline.consumer_release();
    }
}

TEST_F(CudaPipeline, OfABlock) {
    const std::vector<int> from = count_up(5 * 64);
    const DeviceArray<int> on_gpu{std::span<const int>(from)};
    const std::vector<int> got =
        results_of(block_pipeline_kernel, 1, 64, 5 * 64, static_cast<const int*>(on_gpu.data()), 5);
    for (int i = 0; i < 5 * 64; ++i) EXPECT_EQ(got[i], from[i / 64 * 64 + 63 - i % 64]);
}

/// The first warp copies, the others compute.
__global__ void roles_kernel(int* to, const int* from, int pieces, bool by_number) {
    __shared__ State state;
    __shared__ int numbers[2][64];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned i = threadIdx.x;
    const auto role = i < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipeline = by_number ? cuda::make_pipeline(block, &state, std::size_t{32})
                              : cuda::make_pipeline(block, &state, role);
    for (int piece = 0; piece < pieces; ++piece) {
        if (role == cuda::pipeline_role::producer) {
            pipeline.producer_acquire();
            for (int k = 0; k < 2; ++k)
                cuda::memcpy_async(&numbers[piece % 2][32 * k + i], &from[64 * piece + 32 * k + i],
                                   sizeof(int), pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait();
            to[64 * piece + i - 32] = 3 * numbers[piece % 2][95 - i];
            pipeline.consumer_release();
        }
    }
    pipeline.quit();
}

TEST_F(CudaPipeline, WithRoles) {
    const std::vector<int> from = count_up(9 * 64);
    const DeviceArray<int> on_gpu{std::span<const int>(from)};
    for (const bool by_number : {false, true}) {
        const std::vector<int> got =
            results_of(roles_kernel, 1, 96, 9 * 64, static_cast<const int*>(on_gpu.data()), 9, by_number);
        for (int i = 0; i < 9 * 64; ++i) EXPECT_EQ(got[i], 3 * from[i / 64 * 64 + 63 - i % 64]);
    }
}

// ----- Atomic objects

__global__ void operations_kernel(int* to) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> bits;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> least;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> most;
    const auto i = static_cast<int>(threadIdx.x);
    if (i == 0) {
        sum = 0;
        bits.store(0, cuda::memory_order_relaxed);
        least.store(1000);
        most.store(-1000);
    }
    __syncthreads();
    sum.fetch_add(i, cuda::memory_order_relaxed);
    sum += 2;
    ++sum;
    bits.fetch_or(1U << i % 32);
    bits.fetch_xor(1U << (i + 5) % 32);
    least.fetch_min(5 - i);
    most.fetch_max(5 - i);
    __syncthreads();
    if (i > 0) return;
    to[0] = sum;
    to[1] = static_cast<int>(bits.fetch_and(0xff00));
    to[2] = static_cast<int>(bits.load(cuda::memory_order_acquire));
    to[3] = least;
    to[4] = most.exchange(7);
    to[5] = most.load();
    int expected = 6;
    to[6] = most.compare_exchange_strong(expected, 9) ? 1 : 0;
    to[7] = expected;
    to[8] = most.compare_exchange_strong(expected, 9, cuda::memory_order_acq_rel, cuda::memory_order_relaxed)
                ? 1
                : 0;
    to[9] = most--;
    to[10] = most -= 20;
}

TEST_F(CudaAtomic, Operations) {
    const std::vector<int> got = results_of(operations_kernel, 1, 32, 11);
    EXPECT_EQ(got, (std::vector<int>{496 + 64 + 32, got[1], got[1] & 0xff00, -26, 5, 7, 0, 7, 1, 9, -12}));
}

__global__ void types_kernel(int* to, float* numbers, unsigned long long* wide, unsigned short* narrow) {
    const cuda::atomic_ref<float, cuda::thread_scope_device> number(numbers[0]);
    number.fetch_add(0.5F);
    const cuda::atomic_ref<float, cuda::thread_scope_device> most(numbers[1]);
    most.fetch_max(static_cast<float>(threadIdx.x + blockIdx.x));
    const cuda::atomic_ref<unsigned long long> sum(*wide);
    sum.fetch_add(1ULL << 33, cuda::std::memory_order_relaxed);
    const cuda::std::atomic_ref<unsigned short> wrapped(*narrow);
    wrapped.fetch_sub(3);
    __shared__ int* places[32];  // libcu++'s atomics are not for local variables
    places[threadIdx.x] = to;
    const cuda::atomic_ref<int*, cuda::thread_scope_thread> pointer(places[threadIdx.x]);
    to[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(++pointer - to);
}

TEST_F(CudaAtomic, TypesAndReferences) {
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(3 * 32))};
    const DeviceArray<float> numbers{std::span<const float>(std::vector<float>(2))};
    const DeviceArray<unsigned long long> wide{
        std::span<const unsigned long long>(std::vector<unsigned long long>{5})};
    const DeviceArray<unsigned short> narrow{
        std::span<const unsigned short>(std::vector<unsigned short>{10, 20})};
    launch(types_kernel, 3, 32, Stream(), to.data(), numbers.data(), wide.data(), narrow.data());
    EXPECT_EQ(to.download(), std::vector<int>(3 * 32, 1));
    EXPECT_EQ(numbers.download(), (std::vector<float>{48, 33}));
    EXPECT_EQ(wide.download()[0], 96 * (1ULL << 33) + 5);
    EXPECT_EQ(narrow.download(), (std::vector<unsigned short>{static_cast<unsigned short>(10 - 3 * 96), 20}));
}

/// Thread 40 waits for thread 0 through an atomic object in shared memory.
__global__ void message_kernel(int* to) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ int message;
    if (threadIdx.x == 0) flag.store(0);
    __syncthreads();
    if (threadIdx.x == 40) {
        flag.wait(0, cuda::memory_order_acquire);
        to[0] = message;
        to[1] = flag.load(cuda::memory_order_relaxed);
    }
    if (threadIdx.x == 0) {
        message = 17;
        flag.store(3, cuda::memory_order_release);
        flag.notify_all();
    }
}

TEST_F(CudaAtomic, Wait) { EXPECT_EQ(results_of(message_kernel, 1, 64, 2), (std::vector<int>{17, 3})); }

__device__ cuda::atomic<int, cuda::thread_scope_device> turn{0};
__device__ int messages[2];

__global__ void first_turn_kernel() {
    turn.store(0);
    messages[0] = messages[1] = 0;
}

/// Two blocks write in turn.
__global__ void turns_kernel(int* to) {
    const auto me = static_cast<int>(blockIdx.x);
    for (int round = 0; round < 10; ++round) {
        if (me == 0) {
            while (turn.load(cuda::memory_order_acquire) != 2 * round) {
            }
        } else {
            turn.wait(2 * round, cuda::memory_order_acquire);
        }
        messages[me] = messages[1 - me] + 1;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        turn.store(2 * round + me + 1, cuda::memory_order_relaxed);
        turn.notify_all();
        if (me == 0) to[round] = messages[0];
    }
}

TEST_F(CudaAtomic, BlocksInTurn) {
    launch(first_turn_kernel, 1, 1, Stream());
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(10))};
    int* data = to.data();
    void* arguments[] = {&data};
    ASSERT_EQ(cudaLaunchCooperativeKernel(turns_kernel, 2, 1, arguments), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(to.download(), (std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}));
}

TEST_F(CudaAtomic, OnTheHost) {
    cuda::atomic<long long> sum{0};
    const auto add = [&sum] {
        for (int i = 0; i < 1000; ++i) sum.fetch_add(i);
    };
    std::thread other(add);
    add();
    other.join();
    EXPECT_EQ(sum.load(), 999000);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
}

// ----- Semaphores and latches

__global__ void semaphore_kernel(int* to) {
    using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 2>;
    __shared__ __align__(alignof(Semaphore)) unsigned char memory[sizeof(Semaphore)];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> inside;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> most;
    auto& semaphore = *reinterpret_cast<Semaphore*>(memory);
    if (threadIdx.x == 0) {
        new (memory) Semaphore(2);
        inside.store(0);
        most.store(0);
    }
    __syncthreads();
    semaphore.acquire();
    most.fetch_max(++inside);
    --inside;
    semaphore.release();
    __syncthreads();
    if (threadIdx.x > 0) return;
    to[0] = most.load() <= 2 ? 1 : 0;
    to[1] = semaphore.try_acquire() ? 1 : 0;
    to[2] = semaphore.try_acquire() ? 1 : 0;
    to[3] = semaphore.try_acquire_for(cuda::std::chrono::microseconds(1)) ? 1 : 0;
}

TEST_F(CudaAtomic, Semaphore) {
    EXPECT_EQ(results_of(semaphore_kernel, 1, 64, 4), (std::vector<int>{1, 1, 1, 0}));
}

__global__ void latch_kernel(int* to) {
    using Latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ __align__(alignof(Latch)) unsigned char memory[sizeof(Latch)];
    __shared__ int numbers[64];
    auto& latch = *reinterpret_cast<Latch*>(memory);
    if (threadIdx.x == 0) new (memory) Latch(64);
    __syncthreads();
    numbers[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (threadIdx.x < 32) {
        latch.count_down();
        return;
    }
    latch.arrive_and_wait();
    to[threadIdx.x - 32] = numbers[63 - threadIdx.x] + (latch.try_wait() ? 100 : 0);
}

TEST_F(CudaAtomic, Latch) {
    const std::vector<int> got = results_of(latch_kernel, 1, 64, 32);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], 131 - i);
}

// ----- cuda::std

__host__ __device__ cuda::std::optional<int> half_of(int number) {
    if (number % 2 != 0) return cuda::std::nullopt;
    return number / 2;
}

__global__ void std_kernel(int* to) {
    const auto i = static_cast<int>(threadIdx.x);
    cuda::std::array<int, 3> numbers{i, i + 1, i + 2};
    cuda::std::swap(numbers[0], numbers[2]);
    const cuda::std::tuple<int, float> both(numbers[0], 2.5F);
    const cuda::std::pair<int, int> pair = cuda::std::make_pair(numbers[1], numbers[2]);
    const cuda::std::complex<float> product =
        cuda::std::complex<float>(1, 2) * cuda::std::complex<float>(static_cast<float>(i), 1);
    static_assert(cuda::std::is_same_v<cuda::std::remove_const_t<const int>, cuda::std::int32_t>);
    static_assert(cuda::std::numeric_limits<cuda::std::uint8_t>::max() == 255);
    int* const mine = to + 8 * i;
    mine[0] = cuda::std::get<0>(both);
    mine[1] = static_cast<int>(2 * cuda::std::get<1>(both));
    mine[2] = pair.first * 100 + pair.second;
    mine[3] = static_cast<int>(product.real());
    mine[4] = static_cast<int>(product.imag());
    mine[5] = half_of(i).value_or(-1);
    mine[6] = cuda::std::plus<int>()(i, cuda::std::identity()(i));
    mine[7] = static_cast<int>(numbers.size());
}

TEST_F(CudaStd, TypesAndFunctions) {
    const std::vector<int> got = results_of(std_kernel, 1, 8, 64);
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(std::vector<int>(got.begin() + 8 * i, got.begin() + 8 * i + 8),
                  (std::vector<int>{i + 2, 5, (i + 1) * 100 + i, i - 2, 2 * i + 1, i % 2 == 0 ? i / 2 : -1,
                                    2 * i, 3}));
}

}  // namespace
}  // namespace cudabook
