// Shared by the programs in this folder: they stop without a GPU, run kernels that fetch each texel through a
// reference and through an object, print the first values that differ, and return whether there were any.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <type_traits>
#include <vector>

/// Without a usable GPU, ends the program with the status of a skipped test.
inline void need_gpu() {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0) error = cudaErrorNoDevice;
    if (error == cudaSuccess) error = cudaFree(0);
    if (error == cudaSuccess) return;
    fprintf(stderr, "no usable GPU: %s\n", cudaGetErrorString(error));
    exit(77);
}

/// Checks that a call succeeds; otherwise ends the program.
#define CUDA(call)                                                                  \
    do {                                                                            \
        const cudaError_t error_ = (call);                                          \
        if (error_ != cudaSuccess) {                                                \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(error_), \
                   cudaGetErrorString(error_));                                     \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

// ----- mismatches

inline long long& mismatches() {
    static long long count = 0;
    return count;
}

/// Counts a mismatch. Returns true if the mismatch is one of the first ten, which are printed.
inline bool is_printed() { return ++mismatches() <= 10; }

/// The program's exit status.
inline int failures() {
    if (mismatches() > 10) printf("... %lld mismatches in all\n", mismatches());
    return mismatches() == 0 ? 0 : 1;
}

inline std::string text(float value) {
    unsigned bits;
    char line[64];
    memcpy(&bits, &value, sizeof bits);
    snprintf(line, sizeof line, "%.9g (0x%08x)", value, bits);
    return line;
}

template <class T>
auto text(T value) -> std::enable_if_t<std::is_integral_v<T>, std::string> {
    return std::to_string(value);
}

template <class T>
auto text(const T& vector) -> decltype(text(vector.x)) {
    std::string line;
    for (size_t c = 0; c < sizeof vector / sizeof vector.x; ++c) {
        auto component = vector.x;
        memcpy(&component, (const char*)&vector + c * sizeof component, sizeof component);
        line += (c == 0 ? "{" : ", ") + text(component);
    }
    return line + "}";
}

/// Compares the bits of two values.
template <class T>
void expect_equal(const std::string& what, const T& expected, const T& got) {
    if (memcmp(&expected, &got, sizeof(T)) != 0 && is_printed())
        printf("%s: expected %s, got %s\n", what.c_str(), text(expected).c_str(), text(got).c_str());
}

/// Compares a call's return code, and clears the error.
inline void expect_code(const char* what, cudaError_t expected, cudaError_t got) {
    cudaGetLastError();
    if (expected != got && is_printed())
        printf("%s: expected %s, got %s\n", what, cudaGetErrorName(expected), cudaGetErrorName(got));
}
#define EXPECT_CODE(expected, call) expect_code(#call, expected, call)

// ----- memory

template <class T>
T* to_device(const std::vector<T>& values) {
    T* memory;
    CUDA(cudaMalloc((void**)&memory, values.size() * sizeof(T)));
    CUDA(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <class T>
std::vector<T> to_host(const T* memory, size_t count) {
    std::vector<T> values(count);
    CUDA(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

template <class T, class = void>
struct Scalar {
    typedef T type;
};
template <class T>
struct Scalar<T, std::void_t<decltype(T::x)>> {
    typedef decltype(T::x) type;
};

/// Random texels: integers of all values, floats from -1 to 1.
template <class T>
std::vector<T> texels(size_t count) {
    typedef typename Scalar<T>::type scalar;
    static unsigned long long random = 1;
    std::vector<T> values(count);
    for (size_t i = 0; i < count * sizeof(T) / sizeof(scalar); ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const scalar value = std::is_same_v<scalar, float> ? scalar((int)(random >> 32) / 2147483648.0)
                                                           : scalar(random >> (64 - 8 * sizeof(scalar)));
        memcpy((char*)values.data() + i * sizeof value, &value, sizeof value);
    }
    return values;
}

inline size_t at_least_1(size_t n) { return n == 0 ? 1 : n; }

inline size_t count_of(cudaExtent size) {
    return at_least_1(size.width) * at_least_1(size.height) * at_least_1(size.depth);
}

/// The parameters that copy a whole array of this size to or from dense memory.
template <class T>
cudaMemcpy3DParms copy_of(cudaExtent size, const T* memory) {
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.extent = make_cudaExtent(size.width, at_least_1(size.height), at_least_1(size.depth));
    const cudaPitchedPtr dense =
        make_cudaPitchedPtr((void*)memory, size.width * sizeof(T), size.width, copy.extent.height);
    copy.srcPtr = dense;
    return copy;
}

template <class T>
void fill_array(cudaArray_t array, cudaExtent size, const std::vector<T>& values) {
    cudaMemcpy3DParms copy = copy_of(size, values.data());
    copy.dstArray = array;
    copy.kind = cudaMemcpyHostToDevice;
    CUDA(cudaMemcpy3D(&copy));
}

/// An array of random texels. Sizes and flags are as for cudaMalloc3DArray().
template <class T>
cudaArray_t random_array(cudaExtent size, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CUDA(cudaMalloc3DArray(&array, &format, size, flags));
    fill_array(array, size, texels<T>(count_of(size)));
    return array;
}

template <class T>
std::vector<T> content(cudaArray_t array, cudaExtent size) {
    std::vector<T> values(count_of(size));
    cudaMemcpy3DParms copy = copy_of(size, values.data());
    copy.dstPtr = copy.srcPtr;
    copy.srcPtr = cudaPitchedPtr();
    copy.srcArray = array;
    copy.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaMemcpy3D(&copy));
    return values;
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

// ----- fetches

/// A sampler with the same address mode in all dimensions.
inline cudaTextureDesc sampler(cudaTextureFilterMode filter, cudaTextureAddressMode address,
                               bool normalized) {
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.filterMode = filter;
    for (int d = 0; d < 3; ++d) how.addressMode[d] = address;
    how.normalizedCoords = normalized;
    return how;
}

inline std::string text(const cudaTextureDesc& how) {
    static const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
    std::string line = how.filterMode == cudaFilterModeLinear ? "linear" : "point";
    for (int d = 0; d < 3; ++d) line += std::string(d == 0 ? ", " : "/") + modes[how.addressMode[d]];
    return line + (how.normalizedCoords ? ", normalized" : "");
}

/// Sets a reference's fields to the values that an object gets from `how`.
inline void set(textureReference& reference, const cudaTextureDesc& how) {
    for (int d = 0; d < 3; ++d) reference.addressMode[d] = how.addressMode[d];
    reference.filterMode = how.filterMode;
    reference.normalized = how.normalizedCoords;
    reference.sRGB = how.sRGB;
    reference.maxAnisotropy = how.maxAnisotropy;
    reference.mipmapFilterMode = how.mipmapFilterMode;
    reference.mipmapLevelBias = how.mipmapLevelBias;
    reference.minMipmapLevelClamp = how.minMipmapLevelClamp;
    reference.maxMipmapLevelClamp = how.maxMipmapLevelClamp;
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t bind(texture<T, dim, mode>& reference, const cudaResourceDesc& resource) {
    size_t offset = 0;
    switch (resource.resType) {
        case cudaResourceTypeArray:
            return cudaBindTextureToArray(reference, resource.res.array.array);
        case cudaResourceTypeMipmappedArray:
            return cudaBindTextureToMipmappedArray(reference, resource.res.mipmap.mipmap);
        case cudaResourceTypeLinear:
            return cudaBindTexture(&offset, reference, resource.res.linear.devPtr, resource.res.linear.desc,
                                   resource.res.linear.sizeInBytes);
        default:
            return cudaBindTexture2D(&offset, reference, resource.res.pitch2D.devPtr,
                                     resource.res.pitch2D.desc, resource.res.pitch2D.width,
                                     resource.res.pitch2D.height, resource.res.pitch2D.pitchInBytes);
    }
}

/// Defines a kernel that fetches at each point p through an object and through a reference.
#define FETCH_KERNEL(kernel, Result, by_reference, by_object)                                             \
    __global__ void kernel(cudaTextureObject_t object, const float4* points, int count, Result* expected, \
                           Result* got) {                                                                 \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                              \
        if (i >= count) return;                                                                           \
        const float4 p = points[i];                                                                       \
        expected[i] = by_object;                                                                          \
        got[i] = by_reference;                                                                            \
    }

/// Binds the resource to the reference, creates an equivalent object, and compares their fetches. Returns
/// the values that were fetched through the reference.
template <class T, int dim, cudaTextureReadMode mode, class Result>
std::vector<Result> compare(const std::string& what, texture<T, dim, mode>& reference,
                            void (*kernel)(cudaTextureObject_t, const float4*, int, Result*, Result*),
                            const cudaResourceDesc& resource, cudaTextureDesc how,
                            const std::vector<float4>& points) {
    how.readMode = mode;
    // An object also obeys the address modes of dimensions that it does not have; a reference never did.
    cudaTextureDesc of_object = how;
    const int dimensions = dim == cudaTextureType1D || dim == cudaTextureType1DLayered ? 1
                           : dim == cudaTextureType3D                                  ? 3
                                                                                       : 2;
    for (int d = dimensions; d < 3; ++d) of_object.addressMode[d] = cudaAddressModeClamp;
    cudaTextureObject_t object;
    CUDA(cudaCreateTextureObject(&object, &resource, &of_object, NULL));
    set(reference, how);
    const cudaError_t error = bind(reference, resource);
    if (error != cudaSuccess) printf("%s, %s:\n", what.c_str(), text(how).c_str());
    CUDA(error);

    const size_t count = points.size();
    float4* places = to_device(points);
    Result* results = to_device(std::vector<Result>(2 * count));
    CUDA(cudaMemset(results, 0xa5, 2 * count * sizeof(Result)));
    kernel<<<(unsigned)(count + 127) / 128, 128>>>(object, places, (int)count, results, results + count);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    const std::vector<Result> expected = to_host(results, count);
    const std::vector<Result> got = to_host(results + count, count);
    for (size_t i = 0; i < count; ++i) {
        if (memcmp(&expected[i], &got[i], sizeof(Result)) != 0)
            expect_equal(what + ", " + text(how) + ", at " + text(points[i]), expected[i], got[i]);
    }
    CUDA(cudaFree(places));
    CUDA(cudaFree(results));
    CUDA(cudaDestroyTextureObject(object));
    return got;
}
