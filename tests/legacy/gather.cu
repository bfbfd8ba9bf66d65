// tex2Dgather() of each component that a type has, in both read modes.
#include "check.h"

#define GATHER(name, T, mode, Result, component)                                              \
    FETCH_KERNEL(gather_##component##_##name, Result, tex2Dgather(name, p.x, p.y, component), \
                 tex2Dgather<Result>(object, p.x, p.y, component))
#define TEXTURE(name, T, mode, Result)                                                                      \
    texture<T, cudaTextureType2D, mode> name;                                                               \
    FETCH_KERNEL(gather_##name, Result, tex2Dgather(name, p.x, p.y), tex2Dgather<Result>(object, p.x, p.y)) \
    FETCH_KERNEL(gather_any_##name, Result, tex2Dgather(name, p.x, p.y, (int)p.z),                          \
                 tex2Dgather<Result>(object, p.x, p.y, (int)p.z))                                           \
    GATHER(name, T, mode, Result, 0)                                                                        \
    GATHER(name, T, mode, Result, 1)                                                                        \
    GATHER(name, T, mode, Result, 2)                                                                        \
    GATHER(name, T, mode, Result, 3)

#define TEXTURES(DO)                                                  \
    DO(floats, float, cudaReadModeElementType, float4)                \
    DO(floats1, float1, cudaReadModeElementType, float4)              \
    DO(floats2, float2, cudaReadModeElementType, float4)              \
    DO(floats4, float4, cudaReadModeElementType, float4)              \
    DO(ints, int, cudaReadModeElementType, int4)                      \
    DO(ints4, int4, cudaReadModeElementType, int4)                    \
    DO(uints2, uint2, cudaReadModeElementType, uint4)                 \
    DO(shorts2, short2, cudaReadModeElementType, short4)              \
    DO(ushorts, unsigned short, cudaReadModeElementType, ushort4)     \
    DO(chars, signed char, cudaReadModeElementType, char4)            \
    DO(chars4, char4, cudaReadModeElementType, char4)                 \
    DO(uchars4, uchar4, cudaReadModeElementType, uchar4)              \
    DO(char_fractions, char, cudaReadModeNormalizedFloat, float4)     \
    DO(uchar4_fractions, uchar4, cudaReadModeNormalizedFloat, float4) \
    DO(short2_fractions, short2, cudaReadModeNormalizedFloat, float4) \
    DO(ushort1_fractions, ushort1, cudaReadModeNormalizedFloat, float4)
TEXTURES(TEXTURE)

const int width = 12;
const int height = 7;

template <class T, cudaTextureReadMode mode, class Kernel>
void test(const std::string& name, texture<T, cudaTextureType2D, mode>& reference, Kernel* gather,
          Kernel* gather_any, Kernel* gather_0, Kernel* gather_1, Kernel* gather_2, Kernel* gather_3) {
    const int components = sizeof(T) / sizeof(typename Scalar<T>::type);
    const cudaResourceDesc plane =
        resource_of(random_array<T>(make_cudaExtent(width, height, 0), cudaArrayTextureGather));
    Kernel* const gather_component[] = {gather_0, gather_1, gather_2, gather_3};
    for (int normalized = 0; normalized < 2; ++normalized)
        for (int address = 0; address < 4; ++address) {
            const cudaTextureDesc how =
                sampler(cudaFilterModePoint, (cudaTextureAddressMode)address, normalized);
            for (int component = 0; component < components; ++component) {
                std::vector<float4> points;
                for (float y = -4; y <= height + 4; y += 0.371f)
                    for (float x = -6; x <= width + 6; x += 0.307f)
                        points.push_back(make_float4(normalized ? x / width : x, normalized ? y / height : y,
                                                     (float)component, 0));
                const std::string what = "tex2Dgather of " + name + ", component " + text(component);
                if (component == 0) compare(what + ", not said", reference, gather, plane, how, points);
                compare(what + ", a variable", reference, gather_any, plane, how, points);
                compare(what, reference, gather_component[component], plane, how, points);
            }
        }
}

int main() {
    need_gpu();
#define TEST(name, T, mode, Result)                                                                        \
    test(#name, name, gather_##name, gather_any_##name, gather_0_##name, gather_1_##name, gather_2_##name, \
         gather_3_##name);
    TEXTURES(TEST)
    return failures();
}
