// The host reads managed memory before the kernel that writes it has ended.
// Found by: a run
// Says: wrong: 0 in place of 1
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) out[i] = 0;
    fill<<<1, 64>>>(out);
#ifdef REPAIRED
    cudaDeviceSynchronize();
#endif
    const int found = out[63];
    if (found == 1)
        puts("right");
    else
        printf("wrong: %d in place of 1\n", found);
    cudaFree(out);
}
