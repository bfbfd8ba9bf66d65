// 18. What is beyond the border
//
// The kernel shifts a picture round: what leaves on one side comes in on the other. It compares nothing,
// because a texture can do that. Its coordinates go from 0 to 1 over the picture's width and height, whatever
// its size. describe() says how the texture is to be read; cudaTextureDesc has fields addressMode[0] for the
// width, addressMode[1] for the height, and normalizedCoords. Change what it takes.
//
// Done: the picture is shifted round, for every size and shift.
//
// Further: texture_unit/kernels/3_address.cuh does by hand what each address mode does.

cudaTextureDesc describe() {
    cudaTextureDesc texture{};
    texture.addressMode[0] = cudaAddressModeClamp;
    texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = cudaFilterModePoint;  // the nearest texel
    texture.readMode = cudaReadModeElementType;
    // your answer here
    return texture;
}

__global__ void shift(float* out, cudaTextureObject_t in, int width, int height, int right, int down) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[x + y * width] = tex2D<float>(in, (x + 0.5F - right) / width, (y + 0.5F - down) / height);
}
