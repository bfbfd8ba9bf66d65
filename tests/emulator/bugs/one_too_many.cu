// The condition of a loop is i <= n, which reads an element too many.
// Found by: --check
// Says: located 0 bytes (to the right of|after) 512-byte region
#include <cstdio>

#ifdef REPAIRED
#define BEFORE <
#else
#define BEFORE <=
#endif
__global__ void sum(const int* in, int n, int* out) {
    int sum = 0;
    for (int i = 0; i BEFORE n; ++i) sum += in[i];
    *out = sum;
}

int main() {
    const int n = 128;
    int *in, *out, result;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    sum<<<1, 1>>>(in, n, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (result == 0) puts("right");
    cudaFree(in);
    cudaFree(out);
}
