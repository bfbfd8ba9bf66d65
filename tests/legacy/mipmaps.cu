// Mipmapped arrays: the fetches with a level (Lod) and with derivatives (Grad) from every kind of texture,
// with filters within and between levels, the level's bias and limits, anisotropy, and sRGB.
#include <math.h>

#include "check.h"

// The integer part of p.w is the layer; its fraction gives the level and the derivatives.
__device__ int layer_of(float4 p) { return (int)p.w; }
__device__ float level_of(float4 p) { return (p.w - (int)p.w) * 7 - 1; }
__device__ float step_of(float4 p) { return exp2f((p.w - (int)p.w) * 7 - 6); }
__device__ float2 along_2d(float4 p) { return make_float2(step_of(p), step_of(p) / 8); }
__device__ float2 down_2d(float4 p) { return make_float2(-step_of(p) / 16, step_of(p) / 2); }
__device__ float4 along_3d(float4 p) { return make_float4(step_of(p), step_of(p) / 8, 0, 0); }
__device__ float4 down_3d(float4 p) { return make_float4(0, step_of(p) / 2, step_of(p) / 4, 0); }

#define LOD_FETCHES(name, T, mode, Result, dimension, fetch, place, along, down)              \
    texture<T, dimension, mode> name##_##fetch;                                               \
    FETCH_KERNEL(name##_##fetch##Lod, Result, fetch##Lod(name##_##fetch, place, level_of(p)), \
                 fetch##Lod<Result>(object, place, level_of(p)))
#define FETCHES(name, T, mode, Result, dimension, fetch, place, along, down)                    \
    texture<T, dimension, mode> name##_##fetch;                                                 \
    FETCH_KERNEL(name##_##fetch##Lod, Result, fetch##Lod(name##_##fetch, place, level_of(p)),   \
                 fetch##Lod<Result>(object, place, level_of(p)))                                \
    FETCH_KERNEL(name##_##fetch##Grad, Result, fetch##Grad(name##_##fetch, place, along, down), \
                 fetch##Grad<Result>(object, place, along, down))
#define COMMA ,
#define EACH(DO, DO_CUBE, name, T, mode, Result)                                                             \
    DO(name, T, mode, Result, cudaTextureType1D, tex1D, p.x, step_of(p), -step_of(p) / 2)                    \
    DO(name, T, mode, Result, cudaTextureType2D, tex2D, p.x COMMA p.y, along_2d(p), down_2d(p))              \
    DO(name, T, mode, Result, cudaTextureType3D, tex3D, p.x COMMA p.y COMMA p.z, along_3d(p), down_3d(p))    \
    DO(name, T, mode, Result, cudaTextureType1DLayered, tex1DLayered, p.x COMMA layer_of(p), step_of(p),     \
       -step_of(p) / 2)                                                                                      \
    DO(name, T, mode, Result, cudaTextureType2DLayered, tex2DLayered, p.x COMMA p.y COMMA layer_of(p),       \
       along_2d(p), down_2d(p))                                                                              \
    DO_CUBE(name, T, mode, Result, cudaTextureTypeCubemap, texCubemap, p.x COMMA p.y COMMA p.z, along_3d(p), \
            down_3d(p))                                                                                      \
    DO_CUBE(name, T, mode, Result, cudaTextureTypeCubemapLayered, texCubemapLayered,                         \
            p.x COMMA p.y COMMA p.z COMMA layer_of(p), along_3d(p), down_3d(p))
#define TEXTURES(DO, DO_CUBE)                                           \
    EACH(DO, DO_CUBE, floats, float, cudaReadModeElementType, float)    \
    EACH(DO, DO_CUBE, vectors, float4, cudaReadModeElementType, float4) \
    EACH(DO, DO_CUBE, colours, uchar4, cudaReadModeNormalizedFloat, float4)
#ifdef CUDABOOK_EMULATION  // the emulated GPU has no gradients on cubes
TEXTURES(FETCHES, LOD_FETCHES)
#else
TEXTURES(FETCHES, FETCHES)
#endif

const int levels = 4;
const int layers = 3;

cudaExtent size_of(int dimension) {
    switch (dimension) {
        case cudaTextureType1D:
            return make_cudaExtent(32, 0, 0);
        case cudaTextureType2D:
            return make_cudaExtent(32, 16, 0);
        case cudaTextureType3D:
            return make_cudaExtent(32, 16, 8);
        case cudaTextureType1DLayered:
            return make_cudaExtent(32, 0, layers);
        case cudaTextureType2DLayered:
            return make_cudaExtent(32, 16, layers);
        case cudaTextureTypeCubemap:
            return make_cudaExtent(32, 32, 6);
        default:
            return make_cudaExtent(32, 32, 6 * layers);
    }
}

unsigned flags_of(int dimension) {
    switch (dimension) {
        case cudaTextureType1DLayered:
        case cudaTextureType2DLayered:
            return cudaArrayLayered;
        case cudaTextureTypeCubemap:
            return cudaArrayCubemap;
        case cudaTextureTypeCubemapLayered:
            return cudaArrayCubemap | cudaArrayLayered;
        default:
            return 0;
    }
}

/// Levels of random texels.
template <class T>
cudaResourceDesc random_levels(int dimension) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaExtent size = size_of(dimension);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeMipmappedArray;
    CUDA(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, size, levels, flags_of(dimension)));
    for (int level = 0; level < levels; ++level) {
        cudaArray_t array;
        CUDA(cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, level));
        fill_array(array, size, texels<T>(count_of(size)));
        size.width /= 2;
        size.height /= 2;
        if (flags_of(dimension) == 0) size.depth /= 2;
    }
    return resource;
}

/// How levels are selected and blended.
struct Mix {
    cudaTextureFilterMode filter;
    float bias;
    float least;
    float most;
    unsigned anisotropy;
};

template <class T, int dimension, cudaTextureReadMode mode, class Kernel>
void test(const std::string& name, texture<T, dimension, mode>& reference, Kernel* lod, Kernel* grad) {
    const Mix mixes[] = {{cudaFilterModePoint, 0, 0, 0, 0},       {cudaFilterModePoint, 0, 0, 99, 0},
                         {cudaFilterModeLinear, 0, 0, 99, 0},     {cudaFilterModePoint, 0.5f, 0, 99, 0},
                         {cudaFilterModeLinear, -0.75f, 0, 3, 0}, {cudaFilterModeLinear, 1.25f, 0, 2, 1},
                         {cudaFilterModePoint, 0, 1, 2, 0},       {cudaFilterModeLinear, 0, 0.3f, 1.6f, 0},
                         {cudaFilterModeLinear, 0, 0, 99, 4},     {cudaFilterModeLinear, 0.1f, 0.5f, 99, 16}};
    const cudaResourceDesc resource = random_levels<T>(dimension);
    std::vector<float4> points = texels<float4>(1500);
    for (float4& p : points) p.w = (p.w + 1) / 2 * layers * 0.9999f;
    for (const Mix& mix : mixes)
        for (int linear = 0; linear < 2; ++linear)
            for (int sRGB = 0; sRGB < (mode == cudaReadModeNormalizedFloat ? 2 : 1); ++sRGB) {
                cudaTextureDesc how = sampler(linear == 1 ? cudaFilterModeLinear : cudaFilterModePoint,
                                              cudaAddressModeWrap, true);
                how.addressMode[1] = cudaAddressModeMirror;
                how.sRGB = sRGB;
                how.mipmapFilterMode = mix.filter;
                how.mipmapLevelBias = mix.bias;
                how.minMipmapLevelClamp = mix.least;
                how.maxMipmapLevelClamp = mix.most;
                how.maxAnisotropy = mix.anisotropy;
                std::string what = name;
                what += std::string(", levels ") + (mix.filter == cudaFilterModeLinear ? "linear" : "point");
                what += ", bias " + std::to_string(mix.bias) + ", from " + std::to_string(mix.least) +
                        " to " + std::to_string(mix.most) + ", anisotropy " + text(mix.anisotropy) +
                        (sRGB != 0 ? ", sRGB" : "");
                compare("Lod of " + what, reference, lod, resource, how, points);
                if (grad != NULL) compare("Grad of " + what, reference, grad, resource, how, points);
            }
}

int main() {
    need_gpu();
#define TEST(name, T, mode, Result, dimension, fetch, place, along, down) \
    test(#fetch " of " #name, name##_##fetch, name##_##fetch##Lod, name##_##fetch##Grad);
#ifdef CUDABOOK_EMULATION
#define TEST_LOD(name, T, mode, Result, dimension, fetch, place, along, down) \
    test(#fetch " of " #name, name##_##fetch, name##_##fetch##Lod, (decltype(&name##_##fetch##Lod))NULL);
    TEXTURES(TEST, TEST_LOD)
#else
    TEXTURES(TEST, TEST)
#endif
    return failures();
}
