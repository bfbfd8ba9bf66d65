// The launch does not pass the size of the extern __shared__ array.
// Found by: --check
// Says: the launch gives 0 bytes of dynamic shared memory, and it uses byte 0
#include <cstdio>

#ifdef REPAIRED
constexpr int bytes = 128 * sizeof(int);
#else
constexpr int bytes = 0;
#endif
__global__ void reverse(int* out) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
    int *out, first;
    cudaMalloc(&out, 128 * sizeof(int));
    reverse<<<1, 128, bytes>>>(out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    if (first == 127) puts("right");
    cudaFree(out);
}
