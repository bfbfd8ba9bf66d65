// Refused as: race. Every block does the first block's elements.

__global__ void twice(float* out, const float* in) {
    const int i = threadIdx.x;
    out[i] = 2 * in[i];
}
