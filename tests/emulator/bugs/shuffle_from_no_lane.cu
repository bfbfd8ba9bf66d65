// The last warp of the block has 16 lanes, but its sum shuffles as if there were 32.
// Found by: a run
// Says: wrong: 32
#include <cstdio>

__global__ void sum(const int* numbers, int* result) {
    int mine = threadIdx.x < 48 ? numbers[threadIdx.x] : 0;
    for (int half = 16; half > 0; half /= 2) mine += __shfl_down_sync(0xffffffffu, mine, half);
    if (threadIdx.x % 32 == 0) atomicAdd(result, mine);
}

int main() {
    int *numbers, *result;
    cudaMallocManaged(&numbers, 48 * sizeof(int));
    cudaMallocManaged(&result, sizeof *result);
    for (int i = 0; i < 48; ++i) numbers[i] = 1;
    *result = 0;
#ifdef REPAIRED
    sum<<<1, 64>>>(numbers, result);
#else
    sum<<<1, 48>>>(numbers, result);
#endif
    cudaDeviceSynchronize();
    if (*result == 48)
        puts("right");
    else
        printf("wrong: %d\n", *result);
    cudaFree(result);
    cudaFree(numbers);
}
