// The tile's place in `out` has blockIdx.x and blockIdx.y exchanged, and threadIdx.x counts columns again. It
// is the read from shared memory that goes down a column, where there are no sectors.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side][side];
    const int column = blockIdx.x * side + threadIdx.x;  // of in, which has `height` rows of `width` elements
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    const int to_column =
        blockIdx.y * side + threadIdx.x;  // of out, which has `width` rows of `height` elements
    const int to_row = blockIdx.x * side + threadIdx.y;
    if (to_column < height && to_row < width)
        out[to_row * height + to_column] = tile[threadIdx.x][threadIdx.y];
}
