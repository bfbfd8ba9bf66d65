// tex1D(), tex2D() and tex3D() of arrays, and tex2D() of pitched memory, with every filter and address mode,
// equal or different in each dimension, with normalised and other coordinates, also far out of range.
#include "check.h"

#define TEXTURES(name, T, mode, Result)                                                                  \
    texture<T, 1, mode> name##_1d;                                                                       \
    texture<T, 2, mode> name##_2d;                                                                       \
    texture<T, 3, mode> name##_3d;                                                                       \
    FETCH_KERNEL(fetch_##name##_1d, Result, tex1D(name##_1d, p.x), tex1D<Result>(object, p.x))           \
    FETCH_KERNEL(fetch_##name##_2d, Result, tex2D(name##_2d, p.x, p.y), tex2D<Result>(object, p.x, p.y)) \
    FETCH_KERNEL(fetch_##name##_3d, Result, tex3D(name##_3d, p.x, p.y, p.z),                             \
                 tex3D<Result>(object, p.x, p.y, p.z))
TEXTURES(floats, float, cudaReadModeElementType, float)
TEXTURES(vectors, float4, cudaReadModeElementType, float4)
TEXTURES(colours, uchar4, cudaReadModeNormalizedFloat, float4)
TEXTURES(numbers, int, cudaReadModeElementType, int)

const int width = 13;
const int height = 7;
const int depth = 5;

/// Closely spaced points, from `beyond` texels before the first to as many after the last.
std::vector<float4> grid(int dimensions, float beyond, float step, bool normalized) {
    std::vector<float4> points;
    const float h = dimensions < 2 ? -beyond : height + beyond;
    const float d = dimensions < 3 ? -beyond : depth + beyond;
    for (float z = -beyond; z <= d; z += step)
        for (float y = -beyond; y <= h; y += step)
            for (float x = -beyond; x <= width + beyond; x += step)
                points.push_back(normalized ? make_float4(x / width, y / height, z / depth, 0)
                                            : make_float4(x, y, z, 0));
    return points;
}

template <class T>
cudaResourceDesc pitched_memory() {
    const std::vector<T> values = texels<T>(width * height);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    CUDA(cudaMallocPitch(&resource.res.pitch2D.devPtr, &resource.res.pitch2D.pitchInBytes, width * sizeof(T),
                         height));
    CUDA(cudaMemcpy2D(resource.res.pitch2D.devPtr, resource.res.pitch2D.pitchInBytes, values.data(),
                      width * sizeof(T), width * sizeof(T), height, cudaMemcpyHostToDevice));
    return resource;
}

template <class T, cudaTextureReadMode mode, class Kernel>
void test(const std::string& name, bool linear_too, texture<T, 1, mode>& reference_1d, Kernel* kernel_1d,
          texture<T, 2, mode>& reference_2d, Kernel* kernel_2d, texture<T, 3, mode>& reference_3d,
          Kernel* kernel_3d) {
    const cudaResourceDesc line = resource_of(random_array<T>(make_cudaExtent(width, 0, 0)));
    const cudaResourceDesc plane = resource_of(random_array<T>(make_cudaExtent(width, height, 0)));
    const cudaResourceDesc block = resource_of(random_array<T>(make_cudaExtent(width, height, depth)));
    const cudaResourceDesc pitched = pitched_memory<T>();
    const cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap,
                                            cudaAddressModeMirror};
    for (int normalized = 0; normalized < 2; ++normalized) {
        const std::vector<float4> points_1d = grid(1, 20, 0.01307f, normalized);
        const std::vector<float4> points_2d = grid(2, 10, 0.2307f, normalized);
        const std::vector<float4> points_3d = grid(3, 3, 0.437f, normalized);
        for (int choice = 0; choice < 8 * (linear_too ? 2 : 1); ++choice) {
            cudaTextureDesc how = sampler(choice < 8 ? cudaFilterModePoint : cudaFilterModeLinear,
                                          modes[choice % 4], normalized);
            for (int d = 1; d < 3; ++d)
                if (choice % 8 >= 4) how.addressMode[d] = modes[(choice + d) % 4];
            compare("tex1D of " + name, reference_1d, kernel_1d, line, how, points_1d);
            compare("tex2D of " + name, reference_2d, kernel_2d, plane, how, points_2d);
            compare("tex3D of " + name, reference_3d, kernel_3d, block, how, points_3d);
            compare("tex2D of pitched " + name, reference_2d, kernel_2d, pitched, how, points_2d);
        }
    }
}

int main() {
    need_gpu();
#define TEST(name, linear_too)                                                                     \
    test(#name, linear_too, name##_1d, fetch_##name##_1d, name##_2d, fetch_##name##_2d, name##_3d, \
         fetch_##name##_3d)
    TEST(floats, true);
    TEST(vectors, true);
    TEST(colours, true);
    TEST(numbers, false);
    return failures();
}
