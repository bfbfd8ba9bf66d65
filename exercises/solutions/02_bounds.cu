// The elements are numbered from 0 to n - 1, so a thread whose number is n or more has none.

__global__ void twice(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 2 * in[i];
}
