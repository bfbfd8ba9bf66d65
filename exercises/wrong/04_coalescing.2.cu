// Refused as: race. 32 is a multiple of 8, so threads that are 32 apart have the same column and the same
// row.

__global__ void copy_matrix(float* out, const float* in, int width, int height) {
    const int x = threadIdx.x % 32;
    const int y = threadIdx.x % 8;
    const int column = blockIdx.x * 32 + x;
    const int row = blockIdx.y * 8 + y;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
}
