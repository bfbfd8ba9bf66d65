// Refused as: memory. The same words come from L1, which is the same memory as shared memory, and as busy.
// Says: The goal

constexpr int outputs_of_thread = 1;

__constant__ float weights[33];

__global__ void smooth(float* out, const float* in) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 33; ++k) sum += weights[k] * in[i + k];
    out[i] = sum;
}
