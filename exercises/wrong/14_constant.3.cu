// Refused as: access. The guard is gone: the last threads read beyond the numbers.

__constant__ float weights[5];

__global__ void filter(float* out, const float* in, const float* weights_in_global_memory, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += weights[k] * in[i + k];
    if (i + 4 < n) out[i] = sum;
}
