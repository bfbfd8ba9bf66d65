// Half of a warp shuffles from a lane of the other half, which has ended.
// Found by: a run
// Says: a shuffle from lane 20, which has ended
#include <cstdio>

__global__ void broadcast(int* out) {
    int value = threadIdx.x;
#ifndef REPAIRED
    if (threadIdx.x >= 16) return;
#endif
    value = __shfl_sync(0xffffffffu, value, 20);
    out[threadIdx.x] = value;
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    broadcast<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
