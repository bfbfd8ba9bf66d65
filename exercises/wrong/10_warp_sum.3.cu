// Refused as: memory. Right, but lane 0 loads all numbers itself.

__global__ void sum_of_warps(float* sums, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i % 32 == 0)
        for (int lane = 0; lane < 32; ++lane) sum += in[i + lane];
    if (i % 32 == 0) sums[i / 32] = sum;
}
