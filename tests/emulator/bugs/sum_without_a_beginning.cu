// A sum does not begin at 0.
// Found by: the compiler
// Says: warning: .*sum.* may be used uninitialized
#include <cstdio>

__global__ void sum_of_rows(const float* matrix, float* sums, int columns) {
#ifdef REPAIRED
    float sum = 0;
#else
    float sum;
#endif
    for (int c = 0; c < columns; ++c) sum += matrix[threadIdx.x * columns + c];
    sums[threadIdx.x] = sum;
}

int main() {
    constexpr int rows = 4, columns = 8;
    float *matrix, *sums, host[rows];
    cudaMalloc(&matrix, rows * columns * sizeof(float));
    cudaMalloc(&sums, sizeof host);
    cudaMemset(matrix, 0, rows * columns * sizeof(float));
    sum_of_rows<<<1, rows>>>(matrix, sums, columns);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    if (host[rows - 1] == 0) std::puts("right");
    cudaFree(matrix);
    cudaFree(sums);
}
