// 17. A texture of two dimensions
//
// Each thread writes the mean of a cell's four neighbours: left, right, above and below. tex2D<float>(in, u,
// v) reads the grid; u goes to the right and v down. Texel (x, y) has its middle at u = x + 0.5, v = y + 0.5;
// elsewhere this texture blends texels. Beyond the border it gives the texel at the border
// (cudaAddressModeClamp), so the kernel needs no comparison for that.
//
// Done: out, with rows of `width` elements, has each cell's mean. A neighbour beyond the border is the cell
// itself. At most four fetches for a cell.
//
// Further: heat/kernels/4_texture2d.cuh makes a step of heat with five such fetches.

__global__ void mean4(float* out, cudaTextureObject_t in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    // your answer here
}
