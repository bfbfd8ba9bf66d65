// Refused as: stuck. i never changes, so the loop does not end.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) out[i] = 2 * in[i];
}
