// Many threads add to one counter without an atomic operation.
// Found by: --check=race
// Says: data race in count
#include <cstdio>

__global__ void count(int* counter) {
#ifdef REPAIRED
    atomicAdd(counter, 1);
#else
    ++*counter;
#endif
}

int main() {
    int* counter;
    cudaMalloc(&counter, sizeof(int));
    cudaMemset(counter, 0, sizeof(int));
    count<<<1, 64>>>(counter);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(counter);
}
