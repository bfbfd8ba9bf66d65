// Refused as: access. The index takes the columns for rows, which leads out of the matrix where it is wider
// than high.

__global__ void copy_matrix(float* out, const float* in, int width, int height) {
    const int x = threadIdx.x % 32;
    const int y = threadIdx.x / 32;
    const int column = blockIdx.x * 32 + x;
    const int row = blockIdx.y * 8 + y;
    if (column < width && row < height) out[column * width + row] = in[column * width + row];
}
