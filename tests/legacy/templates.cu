// References wherever old programs had them: static members of class templates, in namespaces, in headers,
// through typedefs and macros, bound by functions that take them as arguments. Variables may still be
// called texture and surface.
#include "check.h"
#include "templates.h"

typedef texture<int, cudaTextureType1D, cudaReadModeElementType> IntTexture;
static IntTexture of_typedef;

namespace {
texture<unsigned char, 1, cudaReadModeNormalizedFloat> in_namespace;
}
namespace outer {
namespace inner {
texture<float2> of_inner(0, cudaFilterModePoint, cudaAddressModeClamp);
}
}  // namespace outer

#define FETCH(t, i) tex1Dfetch(t, i)
#define PLUS(a, b) ((a) + (b))
#define TEX tex1Dfetch

__device__ static float fetched(int i) { return FETCH(in_namespace, i); }
__device__ __forceinline__ float2 fetched_inner(int i) {
    using namespace outer::inner;
    return TEX(of_inner, i);
}

template <class T>
__global__ void read_member(T* to, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) to[i] = Texels<T>::fetch(i);
}

template <int step>
__global__ void read_all(float4* to, int count) {
    int texture = 0, surface = 0;  // ordinary variables
    for (int i = threadIdx.x; i < count; i += step) {
        const float2 pair = fetched_inner(i);
        to[i] = make_float4(PLUS((float)tex1Dfetch(of_typedef, i + texture), (float)surface),
                            FETCH(in_namespace, i), pair.x, fetched(i) + pair.y);
    }
}

template <class Reference, class T>
static void bind(Reference& reference, const T* memory, int count) {
    CUDA(cudaBindTexture(NULL, reference, memory, count * sizeof(T)));
}

template <class T>
static void members() {
    const std::vector<T> values = texels<T>(100);
    T *memory = to_device(values), *results = to_device(std::vector<T>(100));
    Texels<T>::bind(memory, 100);
    read_member<<<1, 32>>>(results, 100);
    const std::vector<T> got = to_host(results, 100);
    for (int i = 0; i < 100; ++i) expect_equal("member of a class template", values[i], got[i]);
}

int main() {
    need_gpu();
    members<float>();
    members<int2>();
    members<unsigned short>();

    const std::vector<int> ints = texels<int>(64);
    const std::vector<unsigned char> bytes = texels<unsigned char>(64);
    const std::vector<float2> pairs = texels<float2>(64);
    float4* results = to_device(std::vector<float4>(64));
    bind(of_typedef, to_device(ints), 64);
    bind(in_namespace, to_device(bytes), 64);
    bind(outer::inner::of_inner, to_device(pairs), 64);
    read_all<32><<<1, 32>>>(results, 64);
    const std::vector<float4> got = to_host(results, 64);
    for (int i = 0; i < 64; ++i) {
        const float byte = bytes[i] / 255.0f;
        expect_equal("namespaces and macros",
                     make_float4((float)ints[i], byte, pairs[i].x, byte + pairs[i].y), got[i]);
    }
    return failures();
}
