// Refused as: access. It compares the number within the block, not the one in the grid.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x >= n) return;
    out[i] = 2 * in[i];
}
