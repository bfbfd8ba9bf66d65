// Replaces each number by the mean of itself and its two neighbours; at the ends, of the two that there are.
// It has one bug.
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/program/run_program.hpp"
#include "docs/find_the_bug/check.hpp"

__global__ void smooth(float* out, const float* in, unsigned size) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    float sum = in[i];
    float count = 1;
    if (i > 0) {
        sum += in[i - 1];
        ++count;
    }
    if (i + 1 <= size) {
        sum += in[i + 1];
        ++count;
    }
    out[i] = sum / count;
}

cudabook::ExitStatus run() {
    constexpr unsigned size = 1000;
    const std::vector<float> numbers(size, 7);
    const cudabook::DeviceArray<float> in{std::span<const float>(numbers)};
    const cudabook::DeviceArray<float> out(size);
    cudabook::launch(smooth, (size + 255) / 256, 256, cudabook::Stream(), out.data(), in.data(), size);
    return find_the_bug::compare(out.download(), numbers);
}

int main() { return cudabook::run_program("smooth", run); }
