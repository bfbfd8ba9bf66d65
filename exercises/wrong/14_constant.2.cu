// Refused as: numbers. It reads the weights backwards from 4 to 0, but the numbers forwards, one weight too
// early.

__constant__ float weights[5];

__global__ void filter(float* out, const float* in, const float* weights_in_global_memory, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 4 >= n) return;
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += weights[4 - k] * in[i + k];
    out[i] = sum;
}
