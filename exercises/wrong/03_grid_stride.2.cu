// Refused as: race. It moves on by the number of blocks, so that threads of a block do the same elements.

__global__ void twice(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x) out[i] = 2 * in[i];
}
