// Refused as: numbers. The picture comes in mirrored.

cudaTextureDesc describe() {
    cudaTextureDesc texture{};
    texture.addressMode[0] = cudaAddressModeMirror;
    texture.addressMode[1] = cudaAddressModeMirror;
    texture.filterMode = cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = 1;
    return texture;
}

__global__ void shift(float* out, cudaTextureObject_t in, int width, int height, int right, int down) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[x + y * width] = tex2D<float>(in, (x + 0.5F - right) / width, (y + 0.5F - down) / height);
}
