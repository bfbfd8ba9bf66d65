// The width of a copy to a CUDA array is given in elements in place of bytes.
// Found by: --check
// Says: reads 4 bytes that nobody has written, 16 bytes into an array of 1024 bytes .*, at .*:8
#include <cstdio>

__global__ void copy(cudaTextureObject_t texture, float* out) {
    const int i = threadIdx.x + 16 * threadIdx.y;
    out[i] = tex2D<float>(texture, threadIdx.x, threadIdx.y);
}

int main() {
    constexpr int n = 16;
    static float host[n * n];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, n, n);
#ifdef REPAIRED
    const int width = n * sizeof(float);
#else
    const int width = n;
#endif
    cudaMemcpy2DToArray(array, 0, 0, host, n * sizeof(float), width, n, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    float* out;
    cudaMalloc(&out, sizeof host);
    copy<<<1, dim3(n, n)>>>(texture, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] == 0) std::puts("right");
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
}
