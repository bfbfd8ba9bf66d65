// 4. Coalescing: neighbouring threads, neighbouring words
//
// Each block has 256 threads in one dimension, and copies a tile of 32 columns and 8 rows. The matrix lies in
// memory row after row. As it stands, the copy is right, but a warp reads four columns with 8 rows each, so
// its 32 floats lie in 8 sectors of 32 bytes. Give each thread another place in the tile, so that a warp's
// floats lie in as few sectors as possible.
//
// Done: out is a copy of in, and a request for 32 floats takes 4 sectors where rows begin at a sector.
//
// Further: access_patterns/README.md measures 14 orders, among them rows and columns, by 7 ways to memory.

__global__ void copy_matrix(float* out, const float* in, int width, int height) {
    const int x = threadIdx.x / 8;  // your answer here: the column in the tile, 0 to 31
    const int y = threadIdx.x % 8;  // and here: the row in the tile, 0 to 7
    const int column = blockIdx.x * 32 + x;
    const int row = blockIdx.y * 8 + y;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
}
