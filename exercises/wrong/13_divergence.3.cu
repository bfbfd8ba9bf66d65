// Refused as: access. The second half of the threads does not begin again with the first sample.

__device__ float between(const float* in) { return (9 * (in[0] + in[1]) - (in[-1] + in[2])) / 16; }

__global__ void twice_the_samples(float* out, const float* in) {
    const int half = blockDim.x / 2;
    const int i = blockIdx.x * blockDim.x + 2 * threadIdx.x + threadIdx.x / half;
    if (i % 2 == 0)
        out[i] = in[i / 2];
    else
        out[i] = between(&in[i / 2]);
}
