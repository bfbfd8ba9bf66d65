// A kernel gets the address of a local variable of main() for its result.
// Found by: a run
// Says: argument 2 points to memory of the host
#include <cstdio>

__global__ void largest(const int* in, int* out) { *out = max(in[0], in[1]); }

int main() {
    const int numbers[2] = {3, 4};
    int *in, result = 0;
    cudaMalloc(&in, sizeof numbers);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    int* out;
    cudaMalloc(&out, sizeof(int));
    largest<<<1, 1>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
    if (result != 4) return 1;
#else
    largest<<<1, 1>>>(in, &result);
    cudaDeviceSynchronize();
#endif
    puts("right");
    cudaFree(in);
}
