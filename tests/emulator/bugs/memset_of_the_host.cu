// cudaMemset() gets the host's array.
// Found by: a run
// Says: a fill of memory of the host
#include <cstdio>

int main() {
    int numbers[16] = {};
    int* memory;
    cudaMalloc(&memory, sizeof numbers);
#ifdef REPAIRED
    cudaMemset(memory, 0, sizeof numbers);
#else
    cudaMemset(numbers, 0, sizeof numbers);
#endif
    puts("right");
    cudaFree(memory);
}
