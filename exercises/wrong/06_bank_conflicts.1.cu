// Refused as: memory. This adds a row. The words of a column are still 32 apart.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side + 1][side];
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    const int to_column = blockIdx.y * side + threadIdx.x;
    const int to_row = blockIdx.x * side + threadIdx.y;
    if (to_column < height && to_row < width)
        out[to_row * height + to_column] = tile[threadIdx.x][threadIdx.y];
}
