// Refused as: memory. Without a tile the stores have 4 sectors each, and the loads now have 32.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    const int to_column = blockIdx.y * side + threadIdx.x;
    const int to_row = blockIdx.x * side + threadIdx.y;
    if (to_column < height && to_row < width)
        out[to_row * height + to_column] = in[to_column * width + to_row];
}
