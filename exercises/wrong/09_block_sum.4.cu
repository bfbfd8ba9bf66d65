// Refused as: memory. The threads lie together, but what they read lies apart: bank conflicts.

__global__ void shares_of_block(float* shares, const float* in) {
    extern __shared__ float sums[];  // as many as the block has threads
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = in[i];
    sums[threadIdx.x] = number;
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        __syncthreads();
        const unsigned to = 2 * distance * threadIdx.x;
        if (to < blockDim.x) sums[to] += sums[to + distance];
    }
    __syncthreads();
    shares[i] = number / sums[0];
}
