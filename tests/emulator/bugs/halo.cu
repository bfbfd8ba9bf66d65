// A stencil reads a neighbour before the first element.
// Found by: --check
// Says: located 4 bytes (to the left of|before) 256-byte region
#include <cstdio>

__global__ void smooth(const float* in, float* out, int n) {
    const int i = threadIdx.x;
#ifdef REPAIRED
    const float left = in[i > 0 ? i - 1 : i], right = in[i < n - 1 ? i + 1 : i];
#else
    const float left = in[i - 1], right = in[i + 1];
#endif
    out[i] = (left + in[i] + right) / 3;
}

int main() {
    const int n = 64;
    float *in, *out, first;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    smooth<<<1, n>>>(in, out, n);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    if (first == 0) puts("right");
    cudaFree(in);
    cudaFree(out);
}
