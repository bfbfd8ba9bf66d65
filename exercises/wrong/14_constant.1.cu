// Refused as: memory. The loop begins at the lane's number: a warp asks for five different weights at once.

__constant__ float weights[5];

__global__ void filter(float* out, const float* in, const float* weights_in_global_memory, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 4 >= n) return;
    float sum = 0;
    for (int k = 0; k < 5; ++k) {
        const int turned = (k + i) % 5;
        sum += weights[turned] * in[i + turned];
    }
    out[i] = sum;
}
