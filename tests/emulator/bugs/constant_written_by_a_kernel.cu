// A kernel writes a constant through a pointer. Other kernels may still read the old value from a cache.
// Found by: --check
// Says: writes 4 bytes of the __constant__ variable factor, at .*written_by_a_kernel.cu:16: kernels can only
#include <cstdio>

#ifdef REPAIRED
__device__ float factor = 1;
#else
__constant__ float factor = 1;
#endif

__global__ void scale(float* x) { *x *= factor; }

__global__ void set(float* to, float value) {
    __syncthreads();
    *to = value;
}

int main() {
    void* address;
    float *x, host = 3;
    cudaMalloc(&x, sizeof *x);
    cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice);
    cudaGetSymbolAddress(&address, factor);
    set<<<1, 1>>>(static_cast<float*>(address), 2);
    scale<<<1, 1>>>(x);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    if (host == 6) puts("right");
    cudaFree(x);
}
