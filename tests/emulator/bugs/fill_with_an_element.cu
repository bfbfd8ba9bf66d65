// cudaMemset() sets bytes, and the program means ints.
// Found by: --check
// Says: cudaMemset\(\) with 1 at .*:15: it sets bytes, and each element of 4 bytes becomes 0x01010101
#include <cstdio>

int main() {
    constexpr int n = 64;
    int host[n];
    int* counts;
    cudaMalloc(&counts, n * sizeof(int));
#ifdef REPAIRED
    for (int& count : host) count = 1;
    cudaMemcpy(counts, host, n * sizeof(int), cudaMemcpyHostToDevice);
#else
    cudaMemset(counts, 1, n * sizeof(int));
#endif
    cudaMemcpy(host, counts, n * sizeof(int), cudaMemcpyDeviceToHost);
    if (host[n - 1] != 0) std::puts("right");
    cudaFree(counts);
}
