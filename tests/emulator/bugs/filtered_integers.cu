// A texture of bytes has a linear filter, but its texels are read as integers, which cannot be filtered.
// Found by: a run
// Says: cudaCreateTextureObject\(\) with a linear filter for texels that are read as integers
#include <cstdio>

__global__ void between(cudaTextureObject_t texture, float* out) { *out = tex2D<float>(texture, 1, 0.5F); }

int main() {
    const unsigned char texels[2] = {0, 255};
    float *out, result = 0;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaMalloc(&out, sizeof *out);
    cudaMallocArray(&array, &format, 2, 1);
    cudaMemcpy2DToArray(array, 0, 0, texels, 2, 2, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.filterMode = cudaFilterModeLinear;
#ifdef REPAIRED
    description.readMode = cudaReadModeNormalizedFloat;
#else
    description.readMode = cudaReadModeElementType;
#endif
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    between<<<1, 1>>>(texture, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (result > 0.49F && result < 0.51F) std::puts("right");
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
