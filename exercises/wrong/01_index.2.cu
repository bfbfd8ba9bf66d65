// Refused as: access. Blocks and threads are exchanged.

__global__ void twice(float* out, const float* in) {
    const int i = threadIdx.x * blockDim.x + blockIdx.x;
    out[i] = 2 * in[i];
}
