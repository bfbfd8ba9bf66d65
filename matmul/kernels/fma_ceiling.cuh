// A kernel of only fmas whose operands are in registers. Its rate is the highest without tensor cores.
#pragma once

namespace cudabook::matmul {

constexpr int ceiling_threads = 512;
constexpr int ceiling_chains = 16;
constexpr int ceiling_rounds = 4096;

__global__ static void __launch_bounds__(ceiling_threads) fma_ceiling_kernel(float* never_written) {
    float chains[ceiling_chains];
#pragma unroll
    for (int i = 0; i < ceiling_chains; ++i) chains[i] = static_cast<float>(threadIdx.x + i);
    for (int round = 0; round < ceiling_rounds; ++round)
#pragma unroll
        for (int i = 0; i < ceiling_chains; ++i) chains[i] = fmaf(chains[i], 0.999F, 0.5F);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < ceiling_chains; ++i) sum += chains[i];
    if (sum < 0) *never_written = sum;
}

}  // namespace cudabook::matmul
