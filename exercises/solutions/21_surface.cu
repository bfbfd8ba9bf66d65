// An array can hold elements of any format, so a surface counts bytes along a row: an x that counts floats is
// times sizeof(float).

__global__ void mirror(cudaSurfaceObject_t out, const float* in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    surf2Dwrite(in[x + y * width], out, (width - 1 - x) * sizeof(float), y);
}
