// The first barrier keeps readers behind the writers of their round, the second keeps the next round's
// writers behind them.

constexpr int block = 256;

__global__ void turn(float* numbers, int rounds) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    float number = numbers[i];
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = number;
        __syncthreads();
        number = tile[(threadIdx.x + 1) % block];
        __syncthreads();
    }
    numbers[i] = number;
}
