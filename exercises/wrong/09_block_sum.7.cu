// Refused as: memory. Right, but all threads wait for one word: the block adds one number after another.
// Says: blocks of 256 threads: 768 atomic operations of threads; the goal is 0

__global__ void shares_of_block(float* shares, const float* in) {
    extern __shared__ float sums[];  // as many as the block has threads
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = in[i];
    if (threadIdx.x == 0) sums[0] = 0;
    __syncthreads();
    atomicAdd(&sums[0], number);
    __syncthreads();
    shares[i] = number / sums[0];
}
