// Refused as: race. All threads that are left over write the last element.

__global__ void twice(float* out, const float* in, int n) {
    const int i = min(static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), n - 1);
    out[i] = 2 * in[i];
}
