// A float4 is read at an address that is no multiple of 16.
// Found by: --check
// Says: misaligned address
#include <cstdio>

__global__ void take(const float* in, float* out) {
#ifdef REPAIRED
    const float4 four = *reinterpret_cast<const float4*>(in + 4);
#else
    const float4 four = *reinterpret_cast<const float4*>(in + 1);
#endif
    *out = four.x;
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(in, 0, 64 * sizeof(float));
    take<<<1, 1>>>(in, out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(in);
    cudaFree(out);
}
