// Refused as: race. __syncwarp() waits for the threads of the warp only, and the number comes from another
// warp.

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    tile[threadIdx.x] = numbers[i];
    __syncwarp();
    numbers[i] = tile[block - 1 - threadIdx.x];
}
