// Refused as: access. The load comes before the guard: it is the load that must not touch what is not there.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = in[i];
    if (i < n) out[i] = 2 * v;
}
