// 5. Transpose through shared memory
//
// A matrix is transposed: row r, column c of `in` becomes row c, column r of `out`. A block has 32 x 32
// threads and brings a tile of 32 x 32 elements into shared memory. As it stands, each thread then writes the
// element that it has read. So neighbouring threads write to different rows of `out`, and each of a warp's 32
// floats takes a sector of its own. Write the tile so that neighbouring threads write neighbouring elements
// of a row of `out`.
//
// Done: out is right for any size. Where rows begin at a sector, a load or a store of 32 floats takes 4.
//
// Further: matmul/kernels/transpose_and_pad.cuh transposes a matrix in this way, in tiles of 64 x 64.

constexpr int side = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[side][side];
    const int column = blockIdx.x * side + threadIdx.x;  // of in, which has `height` rows of `width` elements
    const int row = blockIdx.y * side + threadIdx.y;
    if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    // your answer here
    if (column < width && row < height) out[column * height + row] = tile[threadIdx.y][threadIdx.x];
}
