// A kernel gets the elements of a std::vector.
// Found by: a run
// Says: argument 1 points to memory of the host
#include <cstdio>

#include <vector>
__global__ void scale(float* numbers, float factor) { numbers[threadIdx.x] *= factor; }

int main() {
    std::vector<float> numbers(64, 1.0F);
#ifdef REPAIRED
    float* memory;
    cudaMalloc(&memory, 64 * sizeof(float));
    cudaMemcpy(memory, numbers.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(memory, 2);
    cudaMemcpy(numbers.data(), memory, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(memory);
#else
    scale<<<1, 64>>>(numbers.data(), 2);
    cudaDeviceSynchronize();
#endif
    if (numbers[5] == 2) puts("right");
}
