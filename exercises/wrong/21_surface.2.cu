// Refused as: numbers. Nothing is mirrored.

__global__ void mirror(cudaSurfaceObject_t out, const float* in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    surf2Dwrite(in[x + y * width], out, x * sizeof(float), y);
}
