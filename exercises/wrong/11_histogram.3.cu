// Refused as: numbers. It counts the threads, not the bytes.

__global__ void histogram(unsigned* counts, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&counts[i % 256], 1U);
}
