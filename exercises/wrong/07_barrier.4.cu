// Refused as: memory. The first barrier orders nothing: before it, nobody has touched the tile.

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    __syncthreads();
    tile[threadIdx.x] = numbers[i];
    __syncthreads();
    numbers[i] = tile[block - 1 - threadIdx.x];
}
