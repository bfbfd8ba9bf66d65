// 9. The sum of a block
//
// Each thread wants to know its number's share of the sum of its block. The block adds up in shared memory,
// as a tree: in each round the first half of the threads that are left add the second half's sums to their
// own, until one sum is left. A round needs what the round before has written.
//
// Done: shares[i] is in[i] divided by the sum of its block's numbers, for every block whose size is a power
// of two, without atomic operations. Threads that add in a round lie together, and so does what they read.
//
// Further: each block of tex1dfetch_big leaves the tree to CUB and adds its sum to the total by one
// atomicAdd: tex1dfetch_big/kernels/sum.cuh.

__global__ void shares_of_block(float* shares, const float* in) {
    extern __shared__ float sums[];  // as many as the block has threads
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = in[i];
    sums[threadIdx.x] = number;
    // your answer here
    __syncthreads();
    shares[i] = number / sums[0];
}
