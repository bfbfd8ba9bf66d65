// Refused as: stuck. The last column is width - 1; column width is outside the surface.

__global__ void mirror(cudaSurfaceObject_t out, const float* in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    surf2Dwrite(in[x + y * width], out, (width - x) * sizeof(float), y);
}
