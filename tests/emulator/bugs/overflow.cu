// The calculation of an index of type int overflows.
// Found by: --check
// Says: signed integer overflow
#include <cstdio>

#ifdef REPAIRED
using Index = long long;
#else
using Index = int;
#endif
__global__ void index_of(Index row, Index columns, long long* out) { *out = row * columns; }

int main() {
    long long *out, index;
    cudaMalloc(&out, sizeof(long long));
    index_of<<<1, 1>>>(70000, 70000, out);
    cudaMemcpy(&index, out, sizeof index, cudaMemcpyDeviceToHost);
    if (index == 4900000000) puts("right");
    cudaFree(out);
}
