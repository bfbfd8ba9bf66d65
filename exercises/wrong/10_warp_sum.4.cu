// Refused as: numbers. Every step takes the lane's own number again, not the sum so far.

__global__ void sum_of_warps(float* sums, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, in[i], distance);
    if (i % 32 == 0) sums[i / 32] = sum;
}
