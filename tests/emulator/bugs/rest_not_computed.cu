// The number of blocks is rounded down, so nobody computes the last elements.
// Found by: --check
// Says: reads 4 bytes that were copied from a GPU, where nobody had written them, at .*uted.cu:28
#include <cstdio>

__global__ void square(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

#ifdef REPAIRED
int blocks_for(int n) { return (n + 255) / 256; }
#else
int blocks_for(int n) { return n / 256; }
#endif

int main() {
    constexpr int n = 1000;
    int numbers[n], squares[n];
    for (int i = 0; i < n; ++i) numbers[i] = i;
    int *in, *out;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof numbers);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    square<<<blocks_for(n), 256>>>(in, out, n);
    cudaMemcpy(squares, out, sizeof squares, cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int square : squares) sum += square;
    if (sum == 332833500) puts("right");
    cudaFree(in);
    cudaFree(out);
}
