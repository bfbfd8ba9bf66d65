// An assertion in a kernel fails.
// Found by: a run
// Says: block: \[0,0,0\], thread: \[1,0,0\] Assertion .* failed
#include <cstdio>

#include <cassert>
__global__ void root(const int* in, float* out) {
    assert(in[threadIdx.x] > 0);
    out[threadIdx.x] = rsqrtf(static_cast<float>(in[threadIdx.x]));
}

int main() {
#ifdef REPAIRED
    const int numbers[2] = {4, 9};
#else
    const int numbers[2] = {4, 0};
#endif
    int* in;
    float* out;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, 2 * sizeof(float));
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    root<<<1, 2>>>(in, out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(in);
    cudaFree(out);
}
