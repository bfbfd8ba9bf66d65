// The second half of a table is copied behind `half` bytes in place of `half` elements.
// Found by: --check
// Says: of the __constant__ variable table that nobody has written, 80 bytes into its 128
#include <cstdio>

constexpr int half = 16;
__constant__ float table[2 * half];

__global__ void take(float* out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
    float values[half] = {}, result[2 * half];
    float* out;
    cudaMalloc(&out, sizeof result);
    cudaMemcpyToSymbol(table, values, sizeof values);
#ifdef REPAIRED
    cudaMemcpyToSymbol(table, values, sizeof values, half * sizeof(float));
#else
    cudaMemcpyToSymbol(table, values, sizeof values, half);
#endif
    take<<<1, 2 * half>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (result[2 * half - 1] == values[half - 1]) puts("right");
    cudaFree(out);
}
