// 21. A surface
//
// A texture is only read. What a kernel writes into a CUDA array goes through a surface: surf2Dwrite(value,
// surface, x, y). Its y counts rows, and its x counts bytes, not elements. The kernel writes a picture
// mirrored: what is on the left goes to the right. `in` has rows of `width` floats, and so has the array of
// `out`.
//
// Done: element (x, y) is at (width - 1 - x, y), for every width and height.
//
// Further: heat/kernels/7_surface.cuh fetches through a texture and writes through a surface.

__global__ void mirror(cudaSurfaceObject_t out, const float* in, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    // your answer here
}
