// Refused as: numbers. Each tile is transposed, but stays in its place.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side][side];
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    if (column < height && row < width) out[row * height + column] = tile[threadIdx.x][threadIdx.y];
}
