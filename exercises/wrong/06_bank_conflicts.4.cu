// Refused as: access. A row has 33 words now, and the array has room for rows of 32.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side * side];
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height)
        tile[threadIdx.y * (side + 1) + threadIdx.x] = in[row * width + column];
    __syncthreads();
    const int to_column = blockIdx.y * side + threadIdx.x;
    const int to_row = blockIdx.x * side + threadIdx.y;
    if (to_column < height && to_row < width)
        out[to_row * height + to_column] = tile[threadIdx.x * (side + 1) + threadIdx.y];
}
