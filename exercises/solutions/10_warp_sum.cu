// After the step with distance d, lane 0 has the sum of every d-th lane's numbers and those between; the
// other lanes' sums are not used.

__global__ void sum_of_warps(float* sums, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (i % 32 == 0) sums[i / 32] = sum;
}
