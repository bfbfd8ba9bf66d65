// Refused as: memory. No branch is left, but every warp still does the work of both ways.

__device__ float between(const float* in) { return (9 * (in[0] + in[1]) - (in[-1] + in[2])) / 16; }

__global__ void twice_the_samples(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float even = in[i / 2];
    const float odd = between(&in[i / 2]);
    out[i] = i % 2 == 0 ? even : odd;
}
