// A kernel is compiled for blocks of at most 128 threads, and launched with 256.
// Found by: a run
// Says: 256 x 1 x 1 threads: .*__launch_bounds__ allow 128 threads a block
#include <cstdio>

constexpr int most = 128;

template <class T>
__global__ void __launch_bounds__(most) fill(T* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
    float* out;
    cudaMalloc(&out, 256 * sizeof(float));
#ifdef REPAIRED
    fill<<<2, most>>>(out);
#else
    fill<<<1, 2 * most>>>(out);
#endif
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
