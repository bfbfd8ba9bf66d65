// The structure that the kernel gets has a pointer to the host's elements.
// Found by: --check
// Says: memory of the host, 0 bytes into an array of 256 bytes \(allocated at .*structure.cu:15\)
#include <cstdio>

struct Vector {
    int size;
    int* elements;
};

__global__ void twice(Vector in, int* out) { out[threadIdx.x] = 2 * in.elements[threadIdx.x]; }

int main() {
    int *out, last = 0;
    Vector vector{64, new int[64]};
    for (int i = 0; i < vector.size; ++i) vector.elements[i] = i;
    cudaMalloc(&out, 64 * sizeof(int));
    Vector on_gpu = vector;
#ifdef REPAIRED
    cudaMalloc(&on_gpu.elements, 64 * sizeof(int));
    cudaMemcpy(on_gpu.elements, vector.elements, 64 * sizeof(int), cudaMemcpyHostToDevice);
#endif
    twice<<<1, 64>>>(on_gpu, out);
    cudaMemcpy(&last, out + 63, sizeof last, cudaMemcpyDeviceToHost);
    if (last == 126) puts("right");
#ifdef REPAIRED
    cudaFree(on_gpu.elements);
#endif
    cudaFree(out);
    delete[] vector.elements;
}
