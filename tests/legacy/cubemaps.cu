// texCubemap() and texCubemapLayered() in all directions, of different lengths, with both filters.
#include <math.h>

#include "check.h"

#define TEXTURES(name, T, mode, Result)                                                                  \
    texture<T, cudaTextureTypeCubemap, mode> name##_cube;                                                \
    texture<T, cudaTextureTypeCubemapLayered, mode> name##_cubes;                                        \
    FETCH_KERNEL(fetch_##name##_cube, Result, texCubemap(name##_cube, p.x, p.y, p.z),                    \
                 texCubemap<Result>(object, p.x, p.y, p.z))                                              \
    FETCH_KERNEL(fetch_##name##_cubes, Result, texCubemapLayered(name##_cubes, p.x, p.y, p.z, (int)p.w), \
                 texCubemapLayered<Result>(object, p.x, p.y, p.z, (int)p.w))
TEXTURES(floats, float, cudaReadModeElementType, float)
TEXTURES(vectors, float4, cudaReadModeElementType, float4)
TEXTURES(colours, uchar4, cudaReadModeNormalizedFloat, float4)
TEXTURES(numbers, unsigned short, cudaReadModeElementType, unsigned short)

const int width = 9;
const int layers = 3;

/// Directions all around, including those to corners, edges and the centres of faces.
std::vector<float4> directions() {
    std::vector<float4> points;
    for (int layer = 0; layer < layers; ++layer) {
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z)
                    if (x != 0 || y != 0 || z != 0)
                        points.push_back(make_float4((float)x, (float)y, (float)z, (float)layer));
        const int count = 3000;
        for (int i = 0; i < count; ++i) {
            const float z = 2 * (i + 0.5f) / count - 1;
            const float angle = i * 2.399963f;
            const float length = ldexpf(1.1f, i % 7 - 3);
            const float across = length * sqrtf(1 - z * z);
            points.push_back(
                make_float4(across * cosf(angle), across * sinf(angle), length * z, (float)layer));
        }
    }
    return points;
}

template <class T, cudaTextureReadMode mode, class Kernel>
void test(const std::string& name, bool linear_too, texture<T, cudaTextureTypeCubemap, mode>& reference_cube,
          Kernel* kernel_cube, texture<T, cudaTextureTypeCubemapLayered, mode>& reference_cubes,
          Kernel* kernel_cubes) {
    const cudaResourceDesc cube =
        resource_of(random_array<T>(make_cudaExtent(width, width, 6), cudaArrayCubemap));
    const cudaResourceDesc cubes = resource_of(
        random_array<T>(make_cudaExtent(width, width, 6 * layers), cudaArrayCubemap | cudaArrayLayered));
    for (int filter = 0; filter < (linear_too ? 2 : 1); ++filter) {
        const cudaTextureDesc how =
            sampler(filter == 1 ? cudaFilterModeLinear : cudaFilterModePoint, cudaAddressModeClamp, true);
        compare("texCubemap of " + name, reference_cube, kernel_cube, cube, how, directions());
        compare("texCubemapLayered of " + name, reference_cubes, kernel_cubes, cubes, how, directions());
    }
}

int main() {
    need_gpu();
    test("floats", true, floats_cube, fetch_floats_cube, floats_cubes, fetch_floats_cubes);
    test("vectors", true, vectors_cube, fetch_vectors_cube, vectors_cubes, fetch_vectors_cubes);
    test("colours", true, colours_cube, fetch_colours_cube, colours_cubes, fetch_colours_cubes);
    test("numbers", false, numbers_cube, fetch_numbers_cube, numbers_cubes, fetch_numbers_cubes);
    return failures();
}
