// cudaMemcpy() gets the source as its first argument, which is the destination.
// Found by: a run
// Says: by cudaMemcpyHostToDevice from memory of a GPU to memory of the host
#include <cstdio>

int main() {
    int number = 5, *memory;
    cudaMalloc(&memory, sizeof number);
#ifdef REPAIRED
    cudaMemcpy(memory, &number, sizeof number, cudaMemcpyHostToDevice);
#else
    cudaMemcpy(&number, memory, sizeof number, cudaMemcpyHostToDevice);
#endif
    puts("right");
    cudaFree(memory);
}
