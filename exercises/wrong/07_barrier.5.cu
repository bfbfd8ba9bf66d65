// Refused as: stuck. Two barriers, each for half of the threads: no barrier waits for all of them.
// Says: the barrier of 07_barrier.cu:14, and other threads of its block wait at

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    if (threadIdx.x < block / 2) {
        tile[threadIdx.x] = numbers[i];
        __syncthreads();
    } else {
        tile[threadIdx.x] = numbers[i];
        __syncthreads();
    }
    numbers[i] = tile[block - 1 - threadIdx.x];
}
