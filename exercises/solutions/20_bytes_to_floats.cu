// The texture unit divides on the way: what it gives is a float, so the fetch names float, although the
// texels are bytes.

__global__ void negative(float* out, const unsigned char* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 1 - tex1Dfetch<float>(texture, i);
}
