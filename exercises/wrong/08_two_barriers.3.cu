// Refused as: memory. Right, but with a barrier too many.

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
        __syncthreads();
    }
    numbers[i] = number;
}
