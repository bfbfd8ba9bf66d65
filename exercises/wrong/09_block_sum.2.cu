// Refused as: stuck. The barrier is in the branch: not every thread comes to it.
// Says: all threads of a block must come to the same one

__global__ void shares_of_block(float* shares, const float* in) {
    extern __shared__ float sums[];  // as many as the block has threads
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = in[i];
    sums[threadIdx.x] = number;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            __syncthreads();
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
    }
    __syncthreads();
    shares[i] = number / sums[0];
}
