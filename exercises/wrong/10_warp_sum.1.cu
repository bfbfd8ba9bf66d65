// Refused as: numbers. The distances begin at 8: half of the lanes are left out.

__global__ void sum_of_warps(float* sums, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int distance = 8; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (i % 32 == 0) sums[i / 32] = sum;
}
