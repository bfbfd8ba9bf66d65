// Refused as: race. The threads that do not come to the barrier do not wait.

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    tile[threadIdx.x] = numbers[i];
    if (threadIdx.x < block / 2) __syncthreads();
    numbers[i] = tile[block - 1 - threadIdx.x];
}
