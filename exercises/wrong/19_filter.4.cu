// Refused as: access. Without the guard, threads write beyond the last row.

__global__ void halve(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x + y * width] = tex2D<float>(in, 2 * x + 1, 2 * y + 1);
}
