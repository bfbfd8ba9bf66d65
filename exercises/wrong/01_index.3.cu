// Refused as: compile. A thread has no such variable.

__global__ void twice(float* out, const float* in) {
    const int i = blockIdx.x * blockSize.x + threadIdx.x;
    out[i] = 2 * in[i];
}
