// Refused as: access. Only what is read needs no guard; out still does.

__global__ void negative(float* out, const unsigned char* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1 - tex1Dfetch<float>(texture, i);
}
