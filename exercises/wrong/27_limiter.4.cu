// Refused as: race. The barrier is missing.

constexpr int outputs_of_thread = 4;

__constant__ float weights[33];

__global__ void smooth(float* out, const float* in) {
    __shared__ float4 tile[128 + 8];
    const int first = blockIdx.x * 512;
    const float4* const part = reinterpret_cast<const float4*>(in + first);
    for (int i = threadIdx.x; i < 128 + 8; i += 128) tile[i] = part[i];
    float words[36];
    for (int i = 0; i < 9; ++i) {
        const float4 four = tile[threadIdx.x + i];
        words[4 * i] = four.x;
        words[4 * i + 1] = four.y;
        words[4 * i + 2] = four.z;
        words[4 * i + 3] = four.w;
    }
    float sums[4] = {0, 0, 0, 0};
    for (int k = 0; k < 33; ++k)
        for (int j = 0; j < 4; ++j) sums[j] += weights[k] * words[j + k];
    reinterpret_cast<float4*>(out + first)[threadIdx.x] = make_float4(sums[0], sums[1], sums[2], sums[3]);
}
