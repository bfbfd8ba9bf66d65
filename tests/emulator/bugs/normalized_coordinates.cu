// A texture has normalized coordinates, and the kernel fetches by texels: nearly all read the edge.
// Found by: --check
// Says: a fetch at x = 8.5 from a texture with normalized coordinates, .* normalizedCoords must be 0
#include <cstdio>

__global__ void copy(cudaTextureObject_t texture, float* out, float width) {
#ifdef REPAIRED
    out[threadIdx.x] = tex1D<float>(texture, (threadIdx.x + 0.5f) / width);
#else
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f);
#endif
}

int main() {
    constexpr int n = 32;
    float host[n] = {};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, n);
    cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.normalizedCoords = 1;
    description.addressMode[0] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    float* out;
    cudaMalloc(&out, sizeof host);
    copy<<<1, n>>>(texture, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[n - 1] == 0) std::puts("right");
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
