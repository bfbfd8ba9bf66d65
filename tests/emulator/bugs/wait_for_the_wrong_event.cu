// The host waits for the event that was recorded before the kernel.
// Found by: a run
// Says: wrong: 0 in place of 1
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) out[i] = 0;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    fill<<<1, 64>>>(out);
    cudaEventRecord(end);
#ifdef REPAIRED
    cudaEventSynchronize(end);
#else
    cudaEventSynchronize(begin);
#endif
    if (out[63] == 1)
        puts("right");
    else
        printf("wrong: %d in place of 1\n", out[63]);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(out);
}
