// Refused as: numbers. Coordinates count texels, so the kernel reads the first one, and wrap is not possible.

cudaTextureDesc describe() {
    cudaTextureDesc texture{};
    texture.addressMode[0] = cudaAddressModeWrap;
    texture.addressMode[1] = cudaAddressModeWrap;
    texture.filterMode = cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    return texture;
}

__global__ void shift(float* out, cudaTextureObject_t in, int width, int height, int right, int down) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[x + y * width] = tex2D<float>(in, (x + 0.5F - right) / width, (y + 0.5F - down) / height);
}
