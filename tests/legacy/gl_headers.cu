// Includes the headers of OpenGL, whose functions have parameters called texture and surface, and headers
// of current libraries, which fetch through texture objects.
#if __has_include(<GL/glew.h>)
#include <GL/glew.h>
#endif
#if __has_include(<GLFW/glfw3.h>)
#include <GLFW/glfw3.h>
#endif
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#include <cuda_gl_interop.h>
#endif
#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <cub/cub.cuh>

#include "check.h"

texture<float, 1> line;

static unsigned use(unsigned texture, unsigned surface) { return texture + surface; }

__global__ void read(float* to, cudaTextureObject_t texture, int count) {
    const int i = threadIdx.x;
    if (i < count) to[i] = tex1Dfetch(line, i) + tex1Dfetch<float>(texture, i);
}

int main() {
    need_gpu();
    const std::vector<float> values = texels<float>(32);
    thrust::device_vector<float> memory(values.begin(), values.end());
    float* start = thrust::raw_pointer_cast(memory.data());
    CUDA(cudaBindTexture(NULL, line, start, 32 * sizeof(float)));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = start;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    cudaTextureObject_t object;
    CUDA(cudaCreateTextureObject(&object, &resource, &how, NULL));
    float* results = to_device(std::vector<float>(32));
    read<<<1, 32>>>(results, object, 32);
    const std::vector<float> got = to_host(results, 32);
    for (int i = 0; i < 32; ++i) expect_equal("reference and object", values[i] + values[i], got[i]);
    thrust::sort(memory.begin(), memory.end());
    expect_equal("names", 3, (int)use(1, 2));
    return failures();
}
