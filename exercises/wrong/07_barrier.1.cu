// Refused as: race. The barrier comes before the writes, and the reads still follow them at once.

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    __syncthreads();
    tile[threadIdx.x] = numbers[i];
    numbers[i] = tile[block - 1 - threadIdx.x];
}
