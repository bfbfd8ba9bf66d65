// The input is never copied to the GPU.
// Found by: --check
// Says: reads 4 bytes that nobody has written, 0 bytes into an array of 256 bytes .*, at .*copied.cu:6
#include <cstdio>

__global__ void scale(const float* in, float* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

int main() {
    float numbers[64];
    for (int i = 0; i < 64; ++i) numbers[i] = i;
    float *in, *out;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof numbers);
#ifdef REPAIRED
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
#endif
    scale<<<1, 64>>>(in, out);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    if (numbers[3] == 6) puts("right");
    cudaFree(in);
    cudaFree(out);
}
