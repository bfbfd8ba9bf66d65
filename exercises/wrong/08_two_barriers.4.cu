// Refused as: stuck. Half of the threads do not come to the second barrier.
// Says: waits at the barrier of 08_two_barriers.cu:14, and other threads of its block wait at the barrier of

constexpr int block = 256;

__global__ void turn(float* numbers, int rounds) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    float number = numbers[i];
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = number;
        __syncthreads();
        number = tile[(threadIdx.x + 1) % block];
        if (threadIdx.x < 128) __syncthreads();
    }
    numbers[i] = number;
}
