// A kernel gets a pointer from malloc().
// Found by: a run
// Says: argument 1 points to memory of the host
#include <cstdio>

#include <cstdlib>
__global__ void add_one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

int main() {
    int* const numbers = static_cast<int*>(calloc(64, sizeof(int)));
    int *in = numbers, *out, first;
#ifdef REPAIRED
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMemcpy(in, numbers, 64 * sizeof(int), cudaMemcpyHostToDevice);
#endif
    cudaMalloc(&out, 64 * sizeof(int));
    add_one<<<1, 64>>>(in, out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    if (first == 1) puts("right");
#ifdef REPAIRED
    cudaFree(in);
#endif
    free(numbers);
    cudaFree(out);
}
