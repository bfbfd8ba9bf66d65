// In each round all lanes read the same weight, so the constant cache answers a warp with one address.

__constant__ float weights[5];

__global__ void filter(float* out, const float* in, const float* weights_in_global_memory, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 4 >= n) return;
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += weights[k] * in[i + k];
    out[i] = sum;
}
