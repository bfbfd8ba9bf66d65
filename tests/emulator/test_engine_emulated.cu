// Kernels that the emulated GPU must run correctly: divergence, threads that end early, several cores and
// host threads; and the end of its memory.
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/errors.hpp"
#include "emulator/checks/sanitizer.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::all_lanes;

DeviceArray<int> zeros(std::size_t size) {
    return DeviceArray<int>{std::span<const int>(std::vector<int>(size))};
}

class EmulatedEngine : public test::Gpu {};

// ----- Divergence

/// The two halves of each warp do different numbers of shuffles.
__global__ void sum_in_halves(int* sums) {
    const bool low = threadIdx.x % 32 < 16;
    const unsigned mask = low ? 0x0000ffffU : 0xffff0000U;
    int value = static_cast<int>(threadIdx.x);
    for (int distance = low ? 8 : 4; distance > 0; distance /= 2)
        value += __shfl_xor_sync(mask, value, distance);
    sums[threadIdx.x] = value;
}

TEST_F(EmulatedEngine, HalvesOfAWarp) {
    DeviceArray<int> sums = zeros(64);
    launch(sum_in_halves, 1, 64, Stream(), sums.data());
    const std::vector<int> got = sums.download();
    for (int i = 0; i < 64; ++i) {
        const int group = i % 32 < 16 ? 16 : 8;
        const int first = i / group * group;
        EXPECT_EQ(got[static_cast<std::size_t>(i)], group * first + group * (group - 1) / 2) << i;
    }
}

/// A tree of branches with a vote in each leaf, in loops of different lengths; then all lanes converge.
__global__ void nested(int* counts) {
    const unsigned lane = threadIdx.x % 32;
    int count = 0;
    for (unsigned i = 0; i <= lane / 8; ++i) {
        if (lane % 8 < 4) {
            if (lane % 4 < 2)
                count += __popc(__ballot_sync(0x3U << (lane / 4 * 4), 1));
            else
                count += __any_sync(0xcU << (lane / 4 * 4), lane % 2) != 0 ? 10 : 0;
        } else {
            count += __popc(__ballot_sync(0xf0U << (lane / 8 * 8), lane % 2 == 0)) * 100;
        }
    }
    __syncwarp();
    counts[threadIdx.x] = count + __popc(__ballot_sync(all_lanes, 1)) * 1000;
    __syncthreads();
}

TEST_F(EmulatedEngine, NestedDivergence) {
    DeviceArray<int> counts = zeros(96);
    launch(nested, 1, 96, Stream(), counts.data());
    const std::vector<int> got = counts.download();
    for (int i = 0; i < 96; ++i) {
        const int lane = i % 32;
        const int each = lane % 8 >= 4 ? 200 : lane % 4 < 2 ? 2 : 10;
        EXPECT_EQ(got[static_cast<std::size_t>(i)], 32000 + (lane / 8 + 1) * each) << i;
    }
}

/// Threads end one after another; each barrier is for the remaining threads.
__global__ void end_early(int* left, int* sum) {
    for (unsigned round = 0; round < blockDim.x; ++round) {
        const int count = __syncthreads_count(1);
        if (threadIdx.x == round) {
            left[round] = count;
            return;
        }
    }
    atomicAdd(sum, 1);
}

TEST_F(EmulatedEngine, ThreadsThatEndBeforeABarrier) {
    DeviceArray<int> left = zeros(200);
    DeviceArray<int> sum = zeros(1);
    launch(end_early, 1, 200, Stream(), left.data(), sum.data());
    const std::vector<int> got = left.download();
    for (int i = 0; i < 200; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 200 - i);
    EXPECT_EQ(sum.download().front(), 0);
}

/// The last warp has 8 lanes.
__global__ void vote_of_all(int* votes) {
    votes[threadIdx.x] = __popc(__ballot_sync(all_lanes, 1)) + 100 * __all_sync(all_lanes, 1);
}

TEST_F(EmulatedEngine, IncompleteWarp) {
    DeviceArray<int> votes = zeros(40);
    launch(vote_of_all, 1, 40, Stream(), votes.data());
    const std::vector<int> got = votes.download();
    EXPECT_EQ(got[0], 132);
    EXPECT_EQ(got[39], 108);
}

/// One lane of each warp has ended; the others diverge.
__global__ void who_is_here(unsigned* of_all, unsigned* of_eight) {
    const unsigned lane = threadIdx.x % 32;
    if (lane == 31) return;
    of_all[threadIdx.x] = __activemask();
    if (lane < 8)
        of_eight[threadIdx.x] = __activemask();
    else
        __syncwarp(0x7fffff00U);
}

TEST_F(EmulatedEngine, LanesAtOnePlace) {
    DeviceArray<unsigned> of_all{std::span<const unsigned>(std::vector<unsigned>(64))};
    DeviceArray<unsigned> of_eight{std::span<const unsigned>(std::vector<unsigned>(64))};
    launch(who_is_here, 1, 64, Stream(), of_all.data(), of_eight.data());
    const std::vector<unsigned> all = of_all.download();
    const std::vector<unsigned> eight = of_eight.download();
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(all[i], i % 32 < 31 ? 0x7fffffffU : 0) << i;
        EXPECT_EQ(eight[i], i % 32 < 8 ? 0xffU : 0) << i;
    }
}

/// A thread with the lock does not wait for the threads that wait for the lock.
__global__ void who_is_here_with_the_lock(int* lock, int* lanes) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) != 0) continue;
        atomicAdd(lanes, __popc(__activemask()));
        atomicExch(lock, 0);
        done = true;
    }
}

TEST_F(EmulatedEngine, LanesAtOnePlaceWhileOthersWait) {
    DeviceArray<int> lock = zeros(1);
    DeviceArray<int> lanes = zeros(1);
    launch(who_is_here_with_the_lock, 1, 48, Stream(), lock.data(), lanes.data());
    EXPECT_EQ(lanes.download().front(), 48);
}

__global__ void one_after_another(int* lock, int* counter) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) != 0) continue;
        const int old = *counter;
        __threadfence();
        *counter = old + 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
    }
}

TEST_F(EmulatedEngine, LockOfAllThreads) {
    DeviceArray<int> lock = zeros(1);
    DeviceArray<int> counter = zeros(1);
    launch(one_after_another, 64, 128, Stream(), lock.data(), counter.data());
    EXPECT_EQ(counter.download().front(), 64 * 128);
}

/// Thread 0 waits, by atomic operations alone, for the last thread.
__global__ void wait_for_last(int* flag, int* seen) {
    if (threadIdx.x == blockDim.x - 1) atomicExch(flag, 5);
    if (threadIdx.x != 0) return;
    while (atomicAdd(flag, 0) == 0) {
    }
    *seen = *flag;
}

TEST_F(EmulatedEngine, ThreadThatWaitsForALaterOne) {
    DeviceArray<int> flag = zeros(1);
    DeviceArray<int> seen = zeros(1);
    launch(wait_for_last, 1, 256, Stream(), flag.data(), seen.data());
    EXPECT_EQ(seen.download().front(), 5);
}

/// One warp writes what the other reads, round after round.
__global__ void hand_over(int* sum) {
    __shared__ __mbarrier_t full;
    __shared__ __mbarrier_t empty;
    __shared__ int words[32];
    if (threadIdx.x == 0) {
        __mbarrier_init(&full, 32);
        __mbarrier_init(&empty, 32);
    }
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    for (unsigned round = 0; round < 10; ++round) {
        if (threadIdx.x < 32) {
            words[lane] = static_cast<int>(round);
            __mbarrier_arrive(&full);
            while (!__mbarrier_try_wait_parity(&empty, round % 2 != 0, 1000)) {
            }
        } else {
            while (!__mbarrier_test_wait_parity(&full, round % 2 != 0)) {
            }
            atomicAdd(sum, words[31 - lane]);
            __mbarrier_arrive(&empty);
        }
    }
}

TEST_F(EmulatedEngine, WarpsThatHandOver) {
    DeviceArray<int> sum = zeros(1);
    launch(hand_over, 3, 64, Stream(), sum.data());
    EXPECT_EQ(sum.download().front(), 3 * 32 * 45);
}

// ----- Shared memory

/// Uses thread-local variables of the host. A kernel that uses shared memory must not change them.
int next_number() {
    thread_local int number = 40;
    thread_local std::vector<int> numbers{41};
    numbers.push_back(++number);
    return numbers.front() + static_cast<int>(numbers.size()) - 2;
}

template <class T>
__global__ void reverse(T* values) {
    __shared__ T kept[64];
    kept[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = kept[63 - threadIdx.x];
}

TEST_F(EmulatedEngine, ThreadLocalVariablesOfTheHostAreItsOwn) {
    EXPECT_EQ(next_number(), 41);
    DeviceArray<int> values = zeros(64);
    launch(reverse<int>, 1, 64, Stream(), values.data());
    EXPECT_EQ(next_number(), 42);
}

__shared__ int of_the_file[32];

/// Each block reads -1, the initial content of new shared memory, in variables of every scope.
__global__ void read_before_writing(int* found) {
    __shared__ int of_the_kernel;
    const auto in_lambda = [] {
        __shared__ int of_the_lambda;
        return std::exchange(of_the_lambda, 1);
    };
    found[3 * blockIdx.x] = std::exchange(of_the_file[7], 1);
    found[3 * blockIdx.x + 1] = std::exchange(of_the_kernel, 1);
    found[3 * blockIdx.x + 2] = in_lambda();
}

TEST_F(EmulatedEngine, SharedMemoryOfEveryScope) {
    if (emulation::thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer says that nobody has written it";
    DeviceArray<int> found = zeros(9);
    launch(read_before_writing, 3, 1, Stream(), found.data());
    EXPECT_EQ(found.download(), std::vector<int>(9, -1));
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, read_before_writing));
    EXPECT_EQ(attributes.sharedSizeBytes, 32 * 4 + 4 + 4);
}

// ----- Cores, and threads of the host

/// Adds the number of each block, read from shared memory that all its threads have written.
__global__ void add_blocks(unsigned long long* sum) {
    __shared__ unsigned numbers[128];
    numbers[threadIdx.x] = blockIdx.x + gridDim.x * blockIdx.y;
    __syncthreads();
    const unsigned other = numbers[127 - threadIdx.x];
    __syncthreads();
    atomicAdd(sum, static_cast<unsigned long long>(other));
}

constexpr unsigned long long blocks_sum(unsigned long long blocks) {
    return 128 * (blocks * (blocks - 1) / 2);
}

TEST_F(EmulatedEngine, BlocksOnSeveralCores) {
    const int before = omp_get_max_threads();
    for (const int cores : {1, 2, 3, 8}) {
        omp_set_num_threads(cores);
        DeviceArray<unsigned long long> sum{
            std::span<const unsigned long long>(std::vector<unsigned long long>{0})};
        launch(add_blocks, dim3(50, 40), 128, Stream(), sum.data());
        EXPECT_EQ(sum.download().front(), blocks_sum(2000)) << cores;
    }
    omp_set_num_threads(before);
}

TEST_F(EmulatedEngine, ThreadsOfTheHostLaunchAtTheSameTime) {
    std::vector<unsigned long long> sums(6);
    {
        std::vector<std::jthread> threads;
        for (unsigned long long& result : sums)
            threads.emplace_back([&result] {
                const Stream stream;
                DeviceArray<unsigned long long> sum{
                    std::span<const unsigned long long>(std::vector<unsigned long long>{0})};
                for (int i = 0; i < 10; ++i) launch(add_blocks, 60, 128, stream, sum.data());
                stream.synchronize();
                result = sum.download().front();
            });
    }
    for (const unsigned long long sum : sums) EXPECT_EQ(sum, 10 * blocks_sum(60));
}

__global__ void write_index(uint3* indices) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    indices[block * blockDim.x * blockDim.y * blockDim.z + thread] = threadIdx;
}

TEST_F(EmulatedEngine, IndicesOfThreeDimensions) {
    const DeviceArray<uint3> indices(std::size_t{2 * 3 * 4} * (5 * 6 * 7));
    launch(write_index, dim3(2, 3, 4), dim3(5, 6, 7), Stream(), indices.data());
    const std::vector<uint3> got = indices.download();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t thread = i % (5 * 6 * 7);
        ASSERT_EQ(got[i].x, thread % 5) << i;
        ASSERT_EQ(got[i].y, thread / 5 % 6) << i;
        ASSERT_EQ(got[i].z, thread / 30) << i;
    }
}

// ----- What it cannot do

TEST_F(EmulatedEngine, WaitingWhileCapturingEndsTheCapture) {
    const Stream stream;
    DeviceArray<int> votes = zeros(32);
    CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
    launch(vote_of_all, 1, 32, stream, votes.data());
    EXPECT_EQ(cudaStreamSynchronize(stream.get()), cudaErrorStreamCaptureUnsupported);
    EXPECT_THROW(launch(vote_of_all, 1, 32, stream, votes.data()), CudaError);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
    static_cast<void>(cudaGetLastError());
    EXPECT_EQ(votes.download().front(), 0) << "nothing has run";
    launch(vote_of_all, 1, 32, stream, votes.data());
    EXPECT_EQ(votes.download().front(), 132);
}

TEST_F(EmulatedEngine, RefusedLaunchWhileCapturing) {
    const Stream stream;
    DeviceArray<int> votes = zeros(32);
    EXPECT_THROW(const Graph graph(stream, [&] { launch(vote_of_all, 1, 1025, stream, votes.data()); }),
                 CudaError);
    launch(vote_of_all, 1, 32, stream, votes.data());
    EXPECT_EQ(votes.download().front(), 132);
}

TEST_F(EmulatedEngine, RefusedLaunchSaysWhy) {
    DeviceArray<int> votes = zeros(1);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(2, 3);
    config.blockDim = 1025;
    EXPECT_EQ(cudaLaunchKernelEx(&config, vote_of_all, votes.data()), cudaErrorInvalidValue);
    const std::string text = cudaGetErrorString(cudaGetLastError());
    EXPECT_EQ(text.find("invalid argument: cudabook::"), 0U) << text;
    EXPECT_NE(text.find("vote_of_all, 2 x 3 x 1 blocks of 1025 x 1 x 1 threads: "), std::string::npos)
        << text;
    config.blockDim = 32;
    config.dynamicSmemBytes = 50000;
    EXPECT_EQ(cudaLaunchKernelEx(&config, vote_of_all, votes.data()), cudaErrorInvalidValue);
    EXPECT_NE(std::string(cudaGetErrorString(cudaErrorInvalidValue)).find("exceed the limit of 49152"),
              std::string::npos);
    CUDA_CHECK(cudaDeviceSynchronize());
    EXPECT_STREQ(cudaGetErrorString(cudaGetLastError()), "invalid argument") << "only until the next call";
}

// ----- Memory

/// The number of free bytes. It is smaller on a busy machine, because the memory is the host's.
std::size_t free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    EXPECT_LE(free, total);
    return free;
}

TEST_F(EmulatedEngine, MemoryThatIsNotThere) {
    std::size_t free = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    EXPECT_LE(free, total);
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, total + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(memory, nullptr);
    EXPECT_STREQ(cudaGetErrorString(cudaGetLastError()), "out of memory");
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "it does not last";
    EXPECT_EQ(cudaMalloc(&memory, std::size_t(-1)), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(EmulatedEngine, MemoryIsUsedUpPieceByPiece) {
    const std::size_t piece = free_bytes() / 4;
    std::vector<DeviceArray<char>> pieces;
    EXPECT_THROW(
        {
            for (int i = 0; i < 8; ++i) pieces.emplace_back(piece);
        },
        MachineError);
    EXPECT_FALSE(pieces.empty());
    pieces.clear();
    pieces.emplace_back(piece / 4);
}

TEST_F(EmulatedEngine, ResetDestroysArraysAndTextures) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaMipmappedArray_t mipmap = nullptr;
    CUDA_CHECK(cudaMallocArray(&array, &format, 64, 64));
    CUDA_CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(64, 64, 0), 3));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureDesc description{};
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    CUDA_CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CUDA_CHECK(cudaDeviceReset());

    cudaArray_t another = nullptr;
    CUDA_CHECK(cudaMallocArray(&another, &format, 64, 32));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    CUDA_CHECK(cudaFreeArray(another));
}

TEST_F(EmulatedEngine, ResetFreesTheMemory) {
    const std::size_t piece = free_bytes() / 4;
    for (int i = 0; i < 8; ++i) {
        void* memory = nullptr;
        CUDA_CHECK(cudaMalloc(&memory, piece));
        CUDA_CHECK(cudaDeviceReset());
        EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
        EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    }
}

}  // namespace
}  // namespace cudabook
