// Refused as: memory. Threads that add lie apart, so every warp takes part in the first five rounds.

__global__ void shares_of_block(float* shares, const float* in) {
    extern __shared__ float sums[];  // as many as the block has threads
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = in[i];
    sums[threadIdx.x] = number;
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * distance) == 0) sums[threadIdx.x] += sums[threadIdx.x + distance];
    }
    __syncthreads();
    shares[i] = number / sums[0];
}
