// The host writes the next number to managed memory before the kernel has read the previous number.
// Found by: --check=race
// Says: the host in add, .*: reads 4 bytes, at .*early.cu:6: the host writes them at .*early.cu:14 before
#include <cstdio>

__global__ void add(const int* number, int* sum) { *sum += *number; }

int main() {
    int *number, *sum;
    cudaMallocManaged(&number, sizeof *number);
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    for (int i = 1; i <= 4; ++i) {
        *number = i;
        add<<<1, 1>>>(number, sum);
#ifdef REPAIRED
        cudaDeviceSynchronize();
#endif
    }
    cudaDeviceSynchronize();
    if (*sum == 10) puts("right");
    cudaFree(sum);
    cudaFree(number);
}
