// Refused as: race. The barrier is on the other side alone: what is read may not be written yet.

constexpr int block = 256;

__global__ void turn(float* numbers, int rounds) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    float number = numbers[i];
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = number;

        number = tile[(threadIdx.x + 1) % block];
        __syncthreads();
    }
    numbers[i] = number;
}
