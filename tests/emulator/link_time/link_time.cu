// Shared memory is found in objects that were compiled with -flto.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"

namespace cudabook {
namespace {

__global__ void reverse(int* numbers) {
    __shared__ int tile[64];
    extern __shared__ int more[];
    tile[threadIdx.x] = numbers[threadIdx.x];
    more[threadIdx.x] = 1;
    __syncthreads();
    numbers[threadIdx.x] = tile[63 - threadIdx.x] + more[63 - threadIdx.x];
}

TEST(LinkTimeOptimisation, SharedMemoryIsFound) {
    cudaFuncAttributes attributes{};
    ASSERT_EQ(cudaFuncGetAttributes(&attributes, reverse), cudaSuccess);
    EXPECT_EQ(attributes.sharedSizeBytes, 64 * sizeof(int));

    std::vector<int> numbers(64);
    std::iota(numbers.begin(), numbers.end(), 0);
    const DeviceArray<int> array{std::span<const int>(numbers)};
    const Stream stream;
    launch_with_shared(reverse, 1, 64, 64 * sizeof(int), stream, array.data());
    stream.synchronize();
    EXPECT_EQ(array.download().front(), 64);
    EXPECT_EQ(array.download().back(), 1);
}

}  // namespace
}  // namespace cudabook
