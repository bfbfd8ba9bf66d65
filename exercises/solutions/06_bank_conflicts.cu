// With 33 words in a row, the words of a column are 33 apart, and 33 % 32 is 1: each is in the next bank.
// Those of a row still are beside one another. Nobody uses the last column.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side][side + 1];
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    const int to_column = blockIdx.y * side + threadIdx.x;
    const int to_row = blockIdx.x * side + threadIdx.y;
    if (to_column < height && to_row < width)
        out[to_row * height + to_column] = tile[threadIdx.x][threadIdx.y];
}
