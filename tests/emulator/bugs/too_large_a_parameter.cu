// A kernel has a table of 40000 bytes as its parameter.
// Found by: a run
// Says: its parameters take 40008 bytes, and nvcc allows 32764
#include <cstdio>

#ifdef REPAIRED
constexpr int size = 1000;
#else
constexpr int size = 10000;
#endif
struct Table {
    int numbers[size];
};
__global__ void take(Table table, int* out) { *out = table.numbers[3]; }

int main() {
    int* out;
    cudaMalloc(&out, sizeof(int));
    take<<<1, 1>>>(Table{}, out);
    cudaDeviceSynchronize();
    puts("right");
    cudaFree(out);
}
