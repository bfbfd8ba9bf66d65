// The texture knows how many texels it has. An index outside, also a negative one, gives 0 and touches no
// memory, so no thread compares.

__global__ void sum3(float* out, const float* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] =
        tex1Dfetch<float>(texture, i - 1) + tex1Dfetch<float>(texture, i) + tex1Dfetch<float>(texture, i + 1);
}
