// Refused as: compile. A texture object does not say what type its texels have.

__global__ void sum3(float* out, const float* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = tex1Dfetch(texture, i - 1) + tex1Dfetch(texture, i) + tex1Dfetch(texture, i + 1);
}
