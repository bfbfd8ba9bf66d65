// tex1DLayered() and tex2DLayered() with every filter and address mode, and layers beyond the last.
#include "check.h"

#define TEXTURES(name, T, mode, Result)                                                  \
    texture<T, cudaTextureType1DLayered, mode> name##_1d;                                \
    texture<T, cudaTextureType2DLayered, mode> name##_2d;                                \
    FETCH_KERNEL(fetch_##name##_1d, Result, tex1DLayered(name##_1d, p.x, (int)p.z),      \
                 tex1DLayered<Result>(object, p.x, (int)p.z))                            \
    FETCH_KERNEL(fetch_##name##_2d, Result, tex2DLayered(name##_2d, p.x, p.y, (int)p.z), \
                 tex2DLayered<Result>(object, p.x, p.y, (int)p.z))
TEXTURES(floats, float, cudaReadModeElementType, float)
TEXTURES(pairs, float2, cudaReadModeElementType, float2)
TEXTURES(colours, uchar4, cudaReadModeNormalizedFloat, float4)
TEXTURES(numbers, short, cudaReadModeElementType, short)

const int width = 11;
const int height = 6;
const int layers = 5;

template <class T, cudaTextureReadMode mode, class Kernel>
void test(const std::string& name, bool linear_too, texture<T, cudaTextureType1DLayered, mode>& reference_1d,
          Kernel* kernel_1d, texture<T, cudaTextureType2DLayered, mode>& reference_2d, Kernel* kernel_2d) {
    const cudaResourceDesc lines =
        resource_of(random_array<T>(make_cudaExtent(width, 0, layers), cudaArrayLayered));
    const cudaResourceDesc planes =
        resource_of(random_array<T>(make_cudaExtent(width, height, layers), cudaArrayLayered));
    for (int normalized = 0; normalized < 2; ++normalized) {
        std::vector<float4> points;
        for (int layer = -1; layer <= layers; ++layer)
            for (float y = -4; y <= height + 4; y += 0.371f)
                for (float x = -8; x <= width + 8; x += 0.2307f)
                    points.push_back(make_float4(normalized ? x / width : x, normalized ? y / height : y,
                                                 (float)layer, 0));
        for (int filter = 0; filter < (linear_too ? 2 : 1); ++filter)
            for (int address = 0; address < 4; ++address) {
                const cudaTextureDesc how = sampler(filter == 1 ? cudaFilterModeLinear : cudaFilterModePoint,
                                                    (cudaTextureAddressMode)address, normalized);
                compare("tex1DLayered of " + name, reference_1d, kernel_1d, lines, how, points);
                compare("tex2DLayered of " + name, reference_2d, kernel_2d, planes, how, points);
            }
    }
}

int main() {
    need_gpu();
    test("floats", true, floats_1d, fetch_floats_1d, floats_2d, fetch_floats_2d);
    test("pairs", true, pairs_1d, fetch_pairs_1d, pairs_2d, fetch_pairs_2d);
    test("colours", true, colours_1d, fetch_colours_1d, colours_2d, fetch_colours_2d);
    test("numbers", false, numbers_1d, fetch_numbers_1d, numbers_2d, fetch_numbers_2d);
    return failures();
}
