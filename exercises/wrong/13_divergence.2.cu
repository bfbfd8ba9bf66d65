// Refused as: memory. The order is changed within a warp: still half of its lanes go each way.

__device__ float between(const float* in) { return (9 * (in[0] + in[1]) - (in[-1] + in[2])) / 16; }

__global__ void twice_the_samples(float* out, const float* in) {
    const int lane = threadIdx.x % 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x - lane + 2 * (lane % 16) + lane / 16;
    if (i % 2 == 0)
        out[i] = in[i / 2];
    else
        out[i] = between(&in[i / 2]);
}
