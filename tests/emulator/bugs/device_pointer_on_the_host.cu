// The host prints an element of an array of cudaMalloc().
// Found by: --check, a run with protection keys
// Says: the host uses memory of a GPU, 20 bytes into an array of 256 bytes
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int *out, sixth;
    cudaMalloc(&out, 64 * sizeof(int));
    fill<<<1, 64>>>(out);
#ifdef REPAIRED
    cudaMemcpy(&sixth, out + 5, sizeof sixth, cudaMemcpyDeviceToHost);
#else
    cudaDeviceSynchronize();
    sixth = out[5];
#endif
    if (sixth == 5) puts("right");
    cudaFree(out);
}
