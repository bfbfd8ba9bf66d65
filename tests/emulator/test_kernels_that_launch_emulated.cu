// Kernels that launch kernels: when the launches run, and what is refused. A GPU gives the same values; nvcc
// would need -rdc=true.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

DeviceArray<int> cleared(std::size_t size) {
    return DeviceArray<int>{std::span<const int>(std::vector<int>(size))};
}

/// Does what kernel<<<grid, block, 0, stream>>>(arguments) does.
template <class... Parameters, class... Arguments>
void start(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream,
           Arguments... arguments) {
    const cudaLaunchConfig_t config{grid, block, 0, stream, nullptr, 0};
    static_cast<void>(cudaLaunchKernelEx(&config, kernel, arguments...));
}

class KernelsThatLaunch : public test::Gpu {
  protected:
    void TearDown() override {
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        test::Gpu::TearDown();
    }

    /// Expects that the work so far ends in this error. Returns the error's text.
    static std::string failure(cudaError_t expected) {
        EXPECT_EQ(cudaDeviceSynchronize(), expected);
        return cudaGetErrorString(expected);
    }
};

// ----- Order and memory

__global__ void double_all(int* values) { values[threadIdx.x] *= 2; }

/// Each block launches a kernel for its own values.
__global__ void fill_and_double(int* values) {
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    values[i] = static_cast<int>(i) + 1;
    __syncthreads();
    if (threadIdx.x == 0) start(double_all, 1, blockDim.x, nullptr, values + blockIdx.x * blockDim.x);
}

TEST_F(KernelsThatLaunch, ChildrenSeeWhatTheirParentHasWritten) {
    const DeviceArray<int> values = cleared(96 * 40);
    launch(fill_and_double, 40, 96, Stream(), values.data());
    const std::vector<int> all = values.download();
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], 2 * (static_cast<int>(i) + 1));
}

__global__ void note(int* log, int what) { log[atomicAdd(log, 1) + 1] = what; }

__global__ void launch_in_order(int* log) {
    start(note, 1, 1, cudaStreamTailLaunch, log, 100);
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEvent_t event = nullptr;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    for (int i = 1; i <= 3; ++i) start(note, 1, 1, stream, log, i);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(nullptr, event, 0);
    start(note, 1, 1, nullptr, log, 4);
    start(note, 1, 1, cudaStreamTailLaunch, log, 101);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    log[atomicAdd(log, 1) + 1] = -1;
}

TEST_F(KernelsThatLaunch, LaunchesOfAThreadKeepTheirOrderAndTailLaunchesComeLast) {
    const DeviceArray<int> log = cleared(20);
    launch(launch_in_order, 1, 1, Stream(), log.data());
    launch(note, 1, 1, Stream(), log.data(), 200);
    const std::vector<int> all = log.download();
    EXPECT_EQ(std::vector<int>(all.begin(), all.begin() + 9),
              (std::vector<int>{8, -1, 1, 2, 3, 4, 100, 101, 200}));
}

/// Merges the sorted halves of `size` values.
__global__ void merge(int* values, int* other, int size) {
    for (int left = 0, right = size / 2, i = 0; i < size; ++i)
        other[i] = right == size || (left < size / 2 && values[left] <= values[right]) ? values[left++]
                                                                                       : values[right++];
    for (int i = 0; i < size; ++i) values[i] = other[i];
}

/// Sorts `size` values, a power of two: two kernels sort the halves, and a tail launch merges them.
__global__ void sort(int* values, int* other, int size) {
    if (size == 1) return;
    for (int half = 0; half < 2; ++half)
        start(sort, 1, 1, cudaStreamFireAndForget, values + half * size / 2, other + half * size / 2,
              size / 2);
    start(merge, 1, 1, cudaStreamTailLaunch, values, other, size);
}

TEST_F(KernelsThatLaunch, ChildrenAreCompleteBeforeTailLaunches) {
    std::vector<int> values(256);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 151 % 256);
    const DeviceArray<int> sorted{std::span<const int>(values)};
    const DeviceArray<int> other = cleared(values.size());
    launch(sort, 1, 1, Stream(), sorted.data(), other.data(), 256);
    const std::vector<int> all = sorted.download();
    for (int i = 0; i < 256; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i);
}

TEST_F(KernelsThatLaunch, GraphsLaunchTheirKernelsEachTime) {
    const DeviceArray<int> log = cleared(40);
    const Stream stream;
    const Graph graph(stream, [&] { launch(launch_in_order, 1, 1, stream, log.data()); });
    graph.launch(stream);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(log.download().front(), 14);
}

// ----- What is refused

__global__ void too_many_threads(int* values) { start(double_all, 1, 2048, nullptr, values); }

TEST_F(KernelsThatLaunch, ImpossibleSizes) {
    const DeviceArray<int> values = cleared(1);
    start(too_many_threads, 1, 1, nullptr, values.data());
    const std::string text = failure(cudaErrorInvalidValue);
    EXPECT_NE(text.find("too_many_threads, block (0, 0, 0), thread (0, 0, 0): "), std::string::npos) << text;
    EXPECT_NE(text.find("double_all, 1 x 1 x 1 blocks of 2048 x 1 x 1 threads: "), std::string::npos) << text;
}

__global__ void set_to_one(int* number) { *number = 1; }

/// The child kernel gets a pointer to memory that only the block or the thread has.
__global__ void pass_own_memory(bool shared) {
    __shared__ int of_block;
    int of_thread = 0;
    start(set_to_one, 1, 1, nullptr, shared ? &of_block : &of_thread);
}

TEST_F(KernelsThatLaunch, PassNoSharedOrLocalMemory) {
    for (const bool shared : {true, false}) {
        launch(pass_own_memory, 1, 1, Stream(), shared);
        const std::string text = failure(cudaErrorInvalidAddressSpace);
        EXPECT_NE(
            text.find(shared ? "argument 1 points to shared memory" : "argument 1 points to local memory"),
            std::string::npos)
            << text;
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }
}

__global__ void launch_deeper(int* level) {
    *level += 1;
    start(launch_deeper, 1, 1, nullptr, level);
}

TEST_F(KernelsThatLaunch, MoreThan24Levels) {
    int* level = nullptr;  // which the host reads after the failure
    ASSERT_EQ(cudaMallocManaged(&level, sizeof *level), cudaSuccess);
    *level = 0;
    start(launch_deeper, 1, 1, nullptr, level);
    const std::string text = failure(cudaErrorLaunchMaxDepthExceeded);
    EXPECT_NE(text.find("launch_deeper: kernels launch kernels at more than 24 levels"), std::string::npos)
        << text;
    EXPECT_EQ(*level, 25) << "the host's launch and 24 levels";
}

__global__ void launch_often(int* values, int times) {
    for (int i = 0; i < times; ++i) start(double_all, 1, 1, nullptr, values);
}

TEST_F(KernelsThatLaunch, MoreLaunchesThanMayWait) {
    const DeviceArray<int> values = cleared(1);
    start(launch_often, 1, 1, nullptr, values.data(), 2048);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 3), cudaSuccess);
    start(launch_often, 1, 1, nullptr, values.data(), 4);
    const std::string text = failure(cudaErrorLaunchPendingCountExceeded);
    EXPECT_NE(text.find("double_all: 3 launches by kernels wait already"), std::string::npos) << text;
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    start(launch_often, 1, 1, nullptr, cleared(1).data(), 3);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the refused launch waits no longer";
    ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048), cudaSuccess);
}

__global__ void fail(int* value) {
    __syncthreads();
    if (*value == 0) __trap();
}
__global__ void launch_one_that_fails(int* value) { start(fail, 1, 32, nullptr, value); }

TEST_F(KernelsThatLaunch, FailureOfAChildNamesTheChild) {
    const DeviceArray<int> value = cleared(1);
    start(launch_one_that_fails, 1, 1, nullptr, value.data());
    const std::string text = failure(cudaErrorLaunchFailure);
    EXPECT_NE(text.find("cudabook::fail, block (0, 0, 0), thread ("), std::string::npos) << text;
}

__global__ void wait_for_all() { static_cast<void>(cudaDeviceSynchronize()); }

TEST_F(KernelsThatLaunch, NoThreadWaitsForAKernel) {
    start(wait_for_all, 1, 1, nullptr);
    const std::string text = failure(cudaErrorNotSupported);
    EXPECT_NE(text.find("cudaDeviceSynchronize() is for the host"), std::string::npos) << text;
}

TEST_F(KernelsThatLaunch, StreamsOfKernelsAreNotForTheHost) {
    const DeviceArray<int> values = cleared(1);
    for (const cudaStream_t stream : {cudaStreamTailLaunch, cudaStreamFireAndForget}) {
        start(double_all, 1, 1, stream, values.data());
        EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    }
}

}  // namespace
}  // namespace cudabook
