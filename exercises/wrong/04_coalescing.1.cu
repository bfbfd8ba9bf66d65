// Refused as: memory. A warp takes every second float of two rows, so half of each sector is of no use to it.

__global__ void copy_matrix(float* out, const float* in, int width, int height) {
    const int x = threadIdx.x % 16 * 2 + threadIdx.x / 128;
    const int y = threadIdx.x / 16 % 8;
    const int column = blockIdx.x * 32 + x;
    const int row = blockIdx.y * 8 + y;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
}
