// Rotates each block's 256 numbers by several places, one place a round. It has one bug.
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/program/run_program.hpp"
#include "docs/find_the_bug/check.hpp"

constexpr unsigned block = 256;

__global__ void rotate(float* numbers, unsigned rounds) {
    __shared__ float tile[block];
    const unsigned i = blockIdx.x * block + threadIdx.x;
    float number = numbers[i];
    for (unsigned round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = number;
        __syncthreads();
        number = tile[(threadIdx.x + 1) % block];
    }
    numbers[i] = number;
}

cudabook::ExitStatus run() {
    constexpr unsigned blocks = 8;
    constexpr unsigned rounds = 100;
    std::vector<float> numbers(blocks * block);
    std::vector<float> expected(numbers.size());
    for (unsigned i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<float>(i);
        expected[i] = static_cast<float>(i / block * block + (i + rounds) % block);
    }
    const cudabook::DeviceArray<float> on_device{std::span<const float>(numbers)};
    cudabook::launch(rotate, blocks, block, cudabook::Stream(), on_device.data(), rounds);
    return find_the_bug::compare(on_device.download(), expected);
}

int main() { return cudabook::run_program("rotate", run); }
