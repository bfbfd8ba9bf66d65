// The same array is freed twice.
// Found by: a run
// Says: cudaFree\(\) of memory that is not from cudaMalloc
#include <cstdio>

int main() {
    int *a, *b;
    cudaMalloc(&a, 64);
    cudaMalloc(&b, 64);
    cudaFree(a);
#ifdef REPAIRED
    cudaFree(b);
#else
    cudaFree(a);
#endif
    puts("right");
}
