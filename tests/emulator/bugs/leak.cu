// Memory is allocated in a loop, and only the last array is freed.
// Found by: --check
// Says: Direct leak of 256 byte
#include <cstdio>

int main() {
    int* memory = nullptr;
    for (int frame = 0; frame < 2; ++frame) {
        cudaMalloc(&memory, 64 * sizeof(int));
        cudaMemset(memory, 0, 64 * sizeof(int));
#ifdef REPAIRED
        cudaFree(memory);
    }
#else
    }
    cudaFree(memory);
#endif
    puts("right");
}
