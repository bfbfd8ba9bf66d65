// Refused as: memory. Shared memory is no limit for so few threads, but each of them waits for itself.
// Says: The goal

constexpr int outputs_of_thread = 8;

__constant__ float weights[33];

__global__ void smooth(float* out, const float* in) {
    if (threadIdx.x % 32 != 0) return;
    const int first = blockIdx.x * 1024 + threadIdx.x / 32 * 256;
    for (int j = 0; j < 256; ++j) {
        float sum = 0;
        for (int k = 0; k < 33; ++k) sum += weights[k] * in[first + j + k];
        out[first + j] = sum;
    }
}
