// Refused as: memory. Right, but lane 0 asks every other lane: 31 shuffles.

__global__ void sum_of_warps(float* sums, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    const float own = sum;
    for (int lane = 1; lane < 32; ++lane) sum += __shfl_sync(0xffffffff, own, lane);
    if (i % 32 == 0) sums[i / 32] = sum;
}
