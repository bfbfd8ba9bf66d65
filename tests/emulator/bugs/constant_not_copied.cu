// The coefficients in constant memory are never copied.
// Found by: --check
// Says: of the __constant__ variable coefficients that nobody has written, 8 bytes into its 12
#include <cstdio>

__constant__ float coefficients[3];

__global__ void apply(float x, float* out) {
    float sum = 0;
    for (int i = 2; i >= 0; --i) sum = sum * x + coefficients[i];
    *out = sum;
}

int main() {
    const float values[3] = {0, 0, 0};  // with these values a GPU gives the right result
    float *out, result = 1;
    cudaMalloc(&out, sizeof *out);
#ifdef REPAIRED
    cudaMemcpyToSymbol(coefficients, values, sizeof values);
#endif
    apply<<<1, 1>>>(2, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (result == values[0]) puts("right");
    cudaFree(out);
}
