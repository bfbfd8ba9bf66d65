// A loop ends when its counter is below 0, and the counter is unsigned.
// Found by: the compiler
// Says: countdown_of_unsigned.cu:11:[0-9]*: warning: comparison of unsigned expression in .*>= 0.*
#include <cstdio>

__global__ void add(const int* in, int* out, unsigned n) {
    int sum = 0;
#ifdef REPAIRED
    for (unsigned i = n; i-- > 0;) sum += in[i];
#else
    for (unsigned i = n - 1; i >= 0; --i) sum += in[i];
#endif
    *out = sum;
}

int main() {
    constexpr unsigned n = 64;
    int *in, *out, sum = 1;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    add<<<1, 1>>>(in, out, n);
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (cudaGetLastError() == cudaSuccess && sum == 0) std::printf("right\n");
}
