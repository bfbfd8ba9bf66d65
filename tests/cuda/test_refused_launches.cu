// Launches that CUDA refuses, with the same error on every GPU, real or emulated.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {

constexpr int static_words = 1000;

/// Uses static and dynamic shared memory.
__global__ static void mix(int* words) {
    __shared__ int kept[static_words];
    extern __shared__ int more[];
    const int i = static_cast<int>(threadIdx.x);
    kept[i] = words[i];
    __syncthreads();
    more[i] = kept[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    words[i] = more[i ^ 1];
}

namespace {

__global__ void count(int* counter) { atomicAdd(counter, 1); }

/// The error for a block or grid that no GPU can have.
constexpr cudaError_t impossible_size =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

class RefusedLaunches : public test::Gpu {
  protected:
    /// Launches count() and returns the error. Each thread of a successful launch adds 1 to `counter`.
    static cudaError_t error_of(dim3 grid, dim3 block, const DeviceArray<int>& counter) {
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        const cudaError_t error = cudaLaunchKernelEx(&config, count, counter.data());
        EXPECT_EQ(cudaGetLastError(), error);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        return error;
    }

    static cudaError_t error_of_mix(std::size_t dynamic_bytes) {
        const DeviceArray<int> words{std::span<const int>(std::vector<int>(static_words))};
        cudaLaunchConfig_t config{};
        config.gridDim = 1;
        config.blockDim = 32;
        config.dynamicSmemBytes = dynamic_bytes;
        const cudaError_t error = cudaLaunchKernelEx(&config, mix, words.data());
        EXPECT_EQ(cudaGetLastError(), error);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        return error;
    }

    static cudaError_t allow(std::size_t dynamic_bytes) {
        const cudaError_t error = cudaFuncSetAttribute(mix, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       static_cast<int>(dynamic_bytes));
        EXPECT_EQ(cudaGetLastError(), error);
        return error;
    }
};

TEST_F(RefusedLaunches, Blocks) {
    DeviceArray<int> counter{std::span<const int>(std::vector<int>{0})};
    for (const dim3 good : {dim3(1024), dim3(1, 1024), dim3(16, 1, 64), dim3(32, 32)})
        EXPECT_EQ(error_of(1, good, counter), cudaSuccess) << good.x << " " << good.y << " " << good.z;
    EXPECT_EQ(counter.download().front(), 4 * 1024);
    for (const dim3 bad : {dim3(1025), dim3(1, 1025), dim3(1, 1, 65), dim3(32, 33), dim3(0), dim3(1, 0),
                           dim3(1, 1, 0), dim3(65536, 65536)})
        EXPECT_EQ(error_of(1, bad, counter), impossible_size) << bad.x << " " << bad.y << " " << bad.z;
    EXPECT_EQ(counter.download().front(), 4 * 1024);
}

TEST_F(RefusedLaunches, Grids) {
    DeviceArray<int> counter{std::span<const int>(std::vector<int>{0})};
    for (const dim3 good : {dim3(65536), dim3(1, 65535), dim3(1, 1, 65535)})
        EXPECT_EQ(error_of(good, 1, counter), cudaSuccess) << good.x << " " << good.y << " " << good.z;
    EXPECT_EQ(counter.download().front(), 65536 + 2 * 65535);
    for (const dim3 bad :
         {dim3(0), dim3(1, 0), dim3(1, 1, 0), dim3(0x80000000U), dim3(1, 65536), dim3(1, 1, 65536)})
        EXPECT_EQ(error_of(bad, 1, counter), impossible_size) << bad.x << " " << bad.y << " " << bad.z;
    EXPECT_EQ(counter.download().front(), 65536 + 2 * 65535);
}

TEST_F(RefusedLaunches, DynamicSharedMemory) {
    constexpr std::size_t static_bytes = static_words * sizeof(int);
    const auto usual = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlock, 0));
    const auto most = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT_EQ(error_of_mix(usual - static_bytes), cudaSuccess);
    EXPECT_EQ(error_of_mix(usual - static_bytes + 16), cudaErrorInvalidValue);
    EXPECT_EQ(error_of_mix(most), cudaErrorInvalidValue);

    EXPECT_EQ(allow(most - static_bytes + 16), cudaErrorInvalidValue);
    EXPECT_EQ(allow(most - static_bytes), cudaSuccess);
    EXPECT_EQ(error_of_mix(most - static_bytes), cudaSuccess);
    EXPECT_EQ(error_of_mix(most - static_bytes + 16), cudaErrorInvalidValue);
}

TEST_F(RefusedLaunches, InvalidateACapture) {
    const Stream stream;
    CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 2000;
    config.stream = stream.get();
    EXPECT_EQ(cudaLaunchKernelEx(&config, count, static_cast<int*>(nullptr)), impossible_size);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    EXPECT_EQ(cudaStreamIsCapturing(stream.get(), &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaErrorStreamCaptureInvalidated);
    static_cast<void>(cudaGetLastError());
}

TEST_F(RefusedLaunches, AreNoLastingErrors) {
    DeviceArray<int> counter{std::span<const int>(std::vector<int>{0})};
    EXPECT_EQ(error_of(1, 2000, counter), impossible_size);
    EXPECT_EQ(error_of(1, 7, counter), cudaSuccess);
    EXPECT_EQ(counter.download().front(), 7);
}

}  // namespace
}  // namespace cudabook
