// A copy to the GPU says cudaMemcpyDeviceToHost.
// Found by: a run
// Says: by cudaMemcpyDeviceToHost from memory of the host to memory of a GPU
#include <cstdio>

#ifdef REPAIRED
constexpr cudaMemcpyKind kind = cudaMemcpyHostToDevice;
#else
constexpr cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
#endif

int main() {
    const int number = 5;
    int* memory;
    cudaMalloc(&memory, sizeof number);
    cudaMemcpy(memory, &number, sizeof number, kind);
    puts("right");
    cudaFree(memory);
}
