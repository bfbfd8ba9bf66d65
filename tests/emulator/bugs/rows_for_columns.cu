// An index swaps the row and the column in a matrix that is not square.
// Found by: --check
// Says: located 0 bytes (to the right of|after) 1024-byte region
#include <cstdio>

constexpr int rows = 8, columns = 32;
__global__ void negate(const int* in, int* out) {
    const int row = threadIdx.y, column = threadIdx.x;
#ifdef REPAIRED
    const int i = row * columns + column;
#else
    const int i = column * columns + row;
#endif
    out[i] = -in[i];
}

int main() {
    int *in, *out, last;
    cudaMalloc(&in, rows * columns * sizeof(int));
    cudaMalloc(&out, rows * columns * sizeof(int));
    cudaMemset(in, 0, rows * columns * sizeof(int));
    negate<<<1, dim3(columns, rows)>>>(in, out);
    cudaMemcpy(&last, out + rows * columns - 1, sizeof last, cudaMemcpyDeviceToHost);
    if (last == 0) puts("right");
    cudaFree(in);
    cudaFree(out);
}
