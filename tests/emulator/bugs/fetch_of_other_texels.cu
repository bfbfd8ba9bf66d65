// A kernel fetches four bytes from texels of one 32-bit integer.
// Found by: --check
// Says: a fetch of integers of 8 bits from a texture whose components have 32
#include <cstdio>

__global__ void copy(cudaTextureObject_t texture, unsigned* out) {
#ifdef REPAIRED
    out[threadIdx.x] = tex1Dfetch<unsigned>(texture, threadIdx.x) & 255;
#else
    out[threadIdx.x] = tex1Dfetch<uchar4>(texture, threadIdx.x).x;
#endif
}

int main() {
    constexpr int n = 32;
    unsigned host[n] = {};
    unsigned *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    resource.res.linear.sizeInBytes = sizeof host;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    copy<<<1, n>>>(texture, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[n - 1] == 0) std::puts("right");
    cudaDestroyTextureObject(texture);
    cudaFree(out);
    cudaFree(in);
}
