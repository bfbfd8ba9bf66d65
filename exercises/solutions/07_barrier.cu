// All threads write before the barrier, and read after it. So whatever is read has been written.

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    tile[threadIdx.x] = numbers[i];
    __syncthreads();
    numbers[i] = tile[block - 1 - threadIdx.x];
}
