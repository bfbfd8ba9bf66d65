// 2. A guard for the last block
//
// A block has 128 threads, and n is any number. The last block then has more threads than there are elements
// left. The others of its threads must not touch memory.
//
// Done: out[i] is 2 * in[i] for every i from 0 to n - 1. Nothing else is read or written.
//
// Further: heat_notexture/kernels/2_blend.cuh has the same guard, so that its room may have any width.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // your answer here
    out[i] = 2 * in[i];
}
