// Adds up the numbers of each block: each warp its own by shuffles, then the first warp what the warps have
// found. It has one bug.
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/program/run_program.hpp"
#include "docs/find_the_bug/check.hpp"

__device__ float sum_of_warp(float number) {
    for (unsigned distance = 16; distance > 0; distance /= 2)
        number += __shfl_down_sync(~0U, number, distance);
    return number;
}

__global__ void sum(float* sums, const float* numbers) {
    __shared__ float sum_of_each_warp[32];
    const unsigned lane = threadIdx.x % 32;
    const float part = sum_of_warp(numbers[blockIdx.x * blockDim.x + threadIdx.x]);
    if (lane == 0) sum_of_each_warp[threadIdx.x / 32] = part;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    const float total = sum_of_warp(sum_of_each_warp[lane]);
    if (lane == 0) sums[blockIdx.x] = total;
}

cudabook::ExitStatus run() {
    constexpr unsigned blocks = 8;
    constexpr unsigned threads = 256;
    const std::vector<float> numbers(blocks * threads, 1);
    const cudabook::DeviceArray<float> on_device{std::span<const float>(numbers)};
    const cudabook::DeviceArray<float> sums(blocks);
    cudabook::launch(sum, blocks, threads, cudabook::Stream(), sums.data(), on_device.data());
    return find_the_bug::compare(sums.download(), std::vector<float>(blocks, threads));
}

int main() { return cudabook::run_program("sum", run); }
