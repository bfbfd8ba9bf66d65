// The same, and the hardware says which lanes there are: all of the warp, because none has gone another way.

__global__ void sum_of_warps(float* sums, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    const unsigned lanes = __activemask();
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(lanes, sum, distance);
    if (i % 32 == 0) sums[i / 32] = sum;
}
