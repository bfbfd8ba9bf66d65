// Refused as: access. Element n does not exist: it should be >=.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    out[i] = 2 * in[i];
}
