// Refused as: access. Only what is read needs no guard; out still does.

__global__ void sum3(float* out, const float* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] =
        tex1Dfetch<float>(texture, i - 1) + tex1Dfetch<float>(texture, i) + tex1Dfetch<float>(texture, i + 1);
}
