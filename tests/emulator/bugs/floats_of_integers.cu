// A kernel fetches floats from a texture whose texels are read as integers: it gets the integers' bits.
// Found by: --check
// Says: a fetch of floats from a texture whose texels are read as integers
#include <cstdio>

__global__ void brightness(cudaTextureObject_t texture, float* out) {
    const float4 colour = tex2D<float4>(texture, 0.5F, 0.5F);
    *out = (colour.x + colour.y + colour.z) / 3;
}

int main() {
    const uchar4 texel = {255, 255, 255, 255};
    float *out, result = 0;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaMalloc(&out, sizeof *out);
    cudaMallocArray(&array, &format, 1, 1);
    cudaMemcpy2DToArray(array, 0, 0, &texel, sizeof texel, sizeof texel, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
#ifdef REPAIRED
    description.readMode = cudaReadModeNormalizedFloat;
#endif
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    brightness<<<1, 1>>>(texture, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (result == 1) std::puts("right");
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
