// The variable of a sum is not initialized to 0.
// Found by: the compiler
// Says: warning: .*sum.* is used uninitialized
#include <cstdio>

__global__ void dot_products(const float4* vectors, float4 other, float* products) {
    const float4 vector = vectors[threadIdx.x];
#ifdef REPAIRED
    float sum = 0;
#else
    float sum;
#endif
    sum += vector.x * other.x;
    sum += vector.y * other.y;
    sum += vector.z * other.z;
    sum += vector.w * other.w;
    products[threadIdx.x] = sum;
}

int main() {
    constexpr int n = 32;
    float4* vectors;
    float *products, host[n];
    cudaMalloc(&vectors, n * sizeof(float4));
    cudaMalloc(&products, sizeof host);
    cudaMemset(vectors, 0, n * sizeof(float4));
    dot_products<<<1, n>>>(vectors, make_float4(1, 2, 3, 4), products);
    cudaMemcpy(host, products, sizeof host, cudaMemcpyDeviceToHost);
    if (host[n - 1] == 0) std::puts("right");
    cudaFree(vectors);
    cudaFree(products);
}
