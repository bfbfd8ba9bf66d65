// Refused as: compile. A surface is not a pointer.

__global__ void mirror(cudaSurfaceObject_t out, const float* in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[width - 1 - x + y * width] = in[x + y * width];
}
