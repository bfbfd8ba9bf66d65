// Refused as: access. The guard of the load does not fit the store, whose row and column are others.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side][side];
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    const int to_column = blockIdx.y * side + threadIdx.x;
    const int to_row = blockIdx.x * side + threadIdx.y;
    if (column < width && row < height) out[to_row * height + to_column] = tile[threadIdx.x][threadIdx.y];
}
