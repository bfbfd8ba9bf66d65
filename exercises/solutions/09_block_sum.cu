// Every thread of the block comes to each barrier, whether it adds in that round or not; after it, the
// numbers of the round before are there. What the first threads read is consecutive, so each warp takes one
// wavefront, and whole warps are done early.

__global__ void shares_of_block(float* shares, const float* in) {
    extern __shared__ float sums[];  // as many as the block has threads
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = in[i];
    sums[threadIdx.x] = number;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
    shares[i] = number / sums[0];
}
