// cudaMalloc() gets the number of elements instead of the number of bytes.
// Found by: a run
// Says: a copy of 4000 bytes to 1000 bytes.*cudaErrorInvalidValue
#include <cstdio>

#ifdef REPAIRED
constexpr int bytes_of_one = sizeof(int);
#else
constexpr int bytes_of_one = 1;
#endif

int main() {
    static int numbers[1000] = {1, 2, 3};
    int* memory;
    cudaMalloc(&memory, 1000 * bytes_of_one);
    cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    int second = 2;
    cudaMemcpy(&second, memory + 1, sizeof second, cudaMemcpyDeviceToHost);
    if (second == 2) puts("right");
    cudaFree(memory);
}
