// 32 threads that follow one another, a warp, take a row of the tile: 128 bytes that lie together, 4 sectors.

__global__ void copy_matrix(float* out, const float* in, int width, int height) {
    const int x = threadIdx.x % 32;
    const int y = threadIdx.x / 32;
    const int column = blockIdx.x * 32 + x;
    const int row = blockIdx.y * 8 + y;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
}
