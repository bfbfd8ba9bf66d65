// cudaMemcpy() does not wait for a stream that was created with cudaStreamNonBlocking.
// Found by: --check=race
// Says: race between streams in square, .*:6: a copy at .*:22 reads them in another stream
#include <cstdio>

__global__ void square(int* numbers) { numbers[threadIdx.x] *= numbers[threadIdx.x]; }

int main() {
    constexpr int n = 64;
    int host[n] = {};
    int* numbers;
    cudaMalloc(&numbers, sizeof host);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    cudaStream_t stream;
#ifdef REPAIRED
    cudaStreamCreate(&stream);
#else
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();  // for the copy
#endif
    square<<<1, n, 0, stream>>>(numbers);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] == 0) std::puts("right");
    cudaStreamDestroy(stream);
    cudaFree(numbers);
}
