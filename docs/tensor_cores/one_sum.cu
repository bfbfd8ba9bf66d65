// One sum of a tensor core, beside the exact sum and a chain of fma: docs/tensor-cores.md does it by hand.
#include <cmath>
#include <cstdio>

#include <cuda_fp16.h>
#include <mma.h>

constexpr int products = 6;

/// The factors, which half precision has, and the sum that the products are added to.
__constant__ float a[products], b[products];
const float factors_a[products] = {0x1p-12F, 0x1p-12F, 0x1p-12F, 0x1p-12F, 0x1.8p-12F, 0x1.4p-12F};
const float factors_b[products] = {0x1p-12F, 0x1p-12F, 0x1p-12F, 0x1p-12F, 0x1p-13F, 0x1p-12F};
constexpr float c = 1;

/// d[0] = c + a[0] b[0] + a[1] b[1] + ..., by one warp; the other elements of the matrices are 0.
__global__ void by_tensor_core(float* d) {
    namespace wmma = nvcuda::wmma;
    __shared__ __align__(32) __half row[16 * 16], column[16 * 16];
    __shared__ __align__(32) float sums[16 * 16];
    for (int i = threadIdx.x; i < 16 * 16; i += 32) {
        row[i] = __float2half(i < products ? a[i] : 0.0F);
        column[i] = __float2half(i < products ? b[i] : 0.0F);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> of_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::load_matrix_sync(of_a, row, 16);
    wmma::load_matrix_sync(of_b, column, 16);
    wmma::fill_fragment(sum, float{c});
    wmma::mma_sync(sum, of_a, of_b, sum);
    wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
    __syncwarp();
    if (threadIdx.x == 0) *d = sums[0];
}

__global__ void by_fma(float* d) {
    float sum = c;
    for (int i = 0; i < products; ++i) sum = fmaf(a[i], b[i], sum);
    *d = sum;
}

/// How far the sum is above 1, in units of the last place of a float.
double units(double sum) { return (sum - 1) * 0x1p23; }

int main() {
    float* d = nullptr;
    cudaMallocManaged(&d, 2 * sizeof(float));
    cudaMemcpyToSymbol(a, factors_a, sizeof a);
    cudaMemcpyToSymbol(b, factors_b, sizeof b);
    by_tensor_core<<<1, 32>>>(d);
    by_fma<<<1, 1>>>(d + 1);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
        std::fprintf(stderr, "one_sum: %s\n", cudaGetErrorString(error));
        return 1;
    }
    double exact = c;
    for (int i = 0; i < products; ++i) exact += static_cast<double>(factors_a[i]) * factors_b[i];
    std::printf("above 1, in units of 2^-23:\n");
    std::printf("exact        %g\n", units(exact));
    std::printf("tensor core  %g\n", units(d[0]));
    std::printf("fma by fma   %g\n", units(d[1]));
    cudaFree(d);
}
