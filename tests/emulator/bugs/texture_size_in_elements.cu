// The size of a texture over linear memory is given in elements in place of bytes.
// Found by: --check
// Says: a fetch of texel 16 from a texture of 16 texels, whose array has 64
#include <cstdio>
#include <vector>

__global__ void copy(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x));
}

int main() {
    constexpr int n = 64;
    std::vector<float> host(n, 0);
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
#ifdef REPAIRED
    resource.res.linear.sizeInBytes = n * sizeof(float);
#else
    resource.res.linear.sizeInBytes = n;
#endif
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    copy<<<1, n>>>(texture, out);
    cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (host[n - 1] == 0) std::puts("right");
    cudaDestroyTextureObject(texture);
    cudaFree(out);
    cudaFree(in);
}
