// A kernel with a namesake of the host, so that its launch chooses by arguments, and with __restrict__.
#include <cstdio>

int reduce(int value) { return value; }

__global__ void reduce(const int* __restrict__ in, const int* const __restrict__ more,
                       int* __restrict__ out) {
    *out = *in + *more;
}

int main() {
    int* memory;
    cudaMalloc(&memory, 3 * sizeof(int));
    reduce<<<1, 1>>>(memory, memory + 1, memory + 2);
    cudaFree(memory);
}
