// Only fmas, in a chosen number of chains in each thread. Within a chain each fma waits for the previous fma.
#pragma once

namespace cudabook::occupancy {

/// A thread does `fmas` fmas, a multiple of `chains`, and writes the sum of its chains' results.
template <int chains>
__global__ void arithmetic_bound_kernel(int fmas, float* sums) {
    float values[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) values[c] = static_cast<float>(threadIdx.x + c);
#pragma unroll 16
    for (int i = 0; i < fmas / chains; ++i)
#pragma unroll
        for (int c = 0; c < chains; ++c) values[c] = fmaf(values[c], 0.999F, 0.5F);
    float sum = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) sum += values[c];
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace cudabook::occupancy
