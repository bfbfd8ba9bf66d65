// Refused as: race. The lanes of a warp wait for each other, but not for other warps.

constexpr int block = 256;

__global__ void turn(float* numbers, int rounds) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    float number = numbers[i];
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = number;
        __syncthreads();
        number = tile[(threadIdx.x + 1) % block];
        __syncwarp();
    }
    numbers[i] = number;
}
