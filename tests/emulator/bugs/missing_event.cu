// A stream reads what another stream writes, without waiting for that stream.
// Found by: a run
// Says: wrong: 0 in place of 2
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }
__global__ void add_one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

int main() {
    int *one, *two, *found;
    cudaMalloc(&one, 64 * sizeof(int));
    cudaMalloc(&two, 64 * sizeof(int));
    cudaMallocHost(&found, 64 * sizeof(int));
    cudaMemset(one, -1, 64 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t first, second;
    cudaEvent_t filled;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&filled);
    fill<<<1, 64, 0, first>>>(one);
    cudaEventRecord(filled, first);
#ifdef REPAIRED
    cudaStreamWaitEvent(second, filled, 0);
#endif
    add_one<<<1, 64, 0, second>>>(one, two);
    cudaMemcpyAsync(found, two, 64 * sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    if (found[63] == 2)
        puts("right");
    else
        printf("wrong: %d in place of 2\n", found[63]);
    cudaEventDestroy(filled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(one);
    cudaFree(two);
    cudaFreeHost(found);
}
