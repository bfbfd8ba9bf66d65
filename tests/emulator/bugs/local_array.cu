// A thread's own array is too short.
// Found by: --check
// Says: index 8 out of bounds
#include <cstdio>

#ifdef REPAIRED
constexpr int bins = 9;
#else
constexpr int bins = 8;
#endif
__global__ void count(const int* in, int* out) {
    int counts[bins] = {};
    for (int i = 0; i < 16; ++i) ++counts[in[i]];
    *out = counts[0];
}

int main() {
    const int numbers[16] = {0, 8};
    int *in, *out, zeros;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    count<<<1, 1>>>(in, out);
    cudaMemcpy(&zeros, out, sizeof zeros, cudaMemcpyDeviceToHost);
    if (zeros == 15) puts("right");
    cudaFree(in);
    cudaFree(out);
}
