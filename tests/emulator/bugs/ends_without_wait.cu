// The program ends before the kernel has printed anything.
// Found by: a run
// Says: the program ended before the launch of greet was done
#include <cstdio>

__global__ void greet() { printf("right\n"); }

int main() {
    greet<<<1, 1>>>();
#ifdef REPAIRED
    cudaDeviceSynchronize();
#endif
}
