// Refused as: memory. Four elements a thread, but each element reads its 33 words again.
// Says: The goal

constexpr int outputs_of_thread = 4;

__constant__ float weights[33];

__global__ void smooth(float* out, const float* in) {
    __shared__ float tile[512 + 32];
    const int first = blockIdx.x * 512;
    for (int i = threadIdx.x; i < 512 + 32; i += 128) tile[i] = in[first + i];
    __syncthreads();
    for (int j = 0; j < 4; ++j) {
        float sum = 0;
        for (int k = 0; k < 33; ++k) sum += weights[k] * tile[4 * threadIdx.x + j + k];
        out[first + 4 * threadIdx.x + j] = sum;
    }
}
