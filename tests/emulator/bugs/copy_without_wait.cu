// The host reads the last element of an asynchronous copy before the copy is done.
// Found by: a run
// Says: wrong: -1 in place of 1
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int *out, *found;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMallocHost(&found, 64 * sizeof(int));
    found[63] = -1;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    fill<<<1, 64, 0, stream>>>(out);
    cudaMemcpyAsync(found, out, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
#ifdef REPAIRED
    cudaStreamSynchronize(stream);
#endif
    if (found[63] == 1)
        puts("right");
    else
        printf("wrong: %d in place of 1\n", found[63]);
    cudaStreamDestroy(stream);
    cudaFree(out);
    cudaFreeHost(found);
}
