#include "common/cuda/error.cuh"
#include "tests/emulator/features.hpp"
#include "tests/emulator/features/result.cuh"

namespace cudabook::test {
namespace {

// ----- Short forms of arrays and textures

constexpr cudaTextureAddressMode wrap = cudaAddressModeWrap;
constexpr cudaTextureAddressMode clamp = cudaAddressModeClamp;
constexpr cudaTextureAddressMode mirror = cudaAddressModeMirror;
constexpr cudaTextureAddressMode border = cudaAddressModeBorder;

struct Reading {
    cudaTextureAddressMode mode = clamp;
    cudaTextureFilterMode filter = cudaFilterModePoint;
    cudaTextureReadMode read = cudaReadModeElementType;
    bool normalised = false;
};

cudaTextureDesc description_of(const Reading& reading) {
    cudaTextureDesc description{};
    for (auto& mode : description.addressMode) mode = reading.mode;
    description.filterMode = description.mipmapFilterMode = reading.filter;
    description.readMode = reading.read;
    description.normalizedCoords = reading.normalised ? 1 : 0;
    description.maxMipmapLevelClamp = 16;
    for (int i = 0; i < 4; ++i) description.borderColor[i] = 0.25F * static_cast<float>(i + 1);
    return description;
}

class Texture {
  public:
    Texture(const cudaResourceDesc& resource, const Reading& reading) {
        const cudaTextureDesc description = description_of(reading);
        CUDA_CHECK(cudaCreateTextureObject(&handle, &resource, &description, nullptr));
    }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    ~Texture() { cudaDestroyTextureObject(handle); }
    cudaTextureObject_t handle = 0;
};

cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

/// Texels that a linear filter blends exactly: for floats, multiples of 1/8; for other types, any integers.
template <class T>
std::vector<T> texels(std::size_t size) {
    std::vector<T> texels(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t word = scrambled(static_cast<std::uint32_t>(i) + 7);
        if constexpr (std::is_same_v<T, float>)
            texels[i] = static_cast<float>(word % 256) / 8;
        else if constexpr (sizeof(T) == 4 * sizeof(float))
            texels[i] = {static_cast<float>(word % 64), static_cast<float>(word % 31), 1,
                         static_cast<float>(word % 7)};
        else
            texels[i] = static_cast<T>(word);
    }
    return texels;
}

template <>
std::vector<uchar4> texels(std::size_t size) {
    std::vector<uchar4> result(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t word = scrambled(static_cast<std::uint32_t>(i));
        result[i] = {static_cast<unsigned char>(word), static_cast<unsigned char>(word >> 8),
                     static_cast<unsigned char>(word >> 16), static_cast<unsigned char>(word >> 24)};
    }
    return result;
}

/// An array of texels(). `depth` counts layers and faces too.
template <class T>
class Array {
  public:
    explicit Array(cudaExtent size, unsigned flags = 0) : size_(size) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
        CUDA_CHECK(cudaMalloc3DArray(&array, &format, size, flags));
        copy_to(array, {std::max<std::size_t>(size.width, 1), std::max<std::size_t>(size.height, 1),
                        std::max<std::size_t>(size.depth, 1)});
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { cudaFreeArray(array); }

    static void copy_to(cudaArray_t array, cudaExtent size) {
        const std::vector<T> from = texels<T>(size.width * size.height * size.depth);
        cudaMemcpy3DParms copy{};
        copy.srcPtr =
            make_cudaPitchedPtr(const_cast<T*>(from.data()), size.width * sizeof(T), size.width, size.height);
        copy.dstArray = array;
        copy.extent = size;
        copy.kind = cudaMemcpyHostToDevice;
        CUDA_CHECK(cudaMemcpy3D(&copy));
    }

    [[nodiscard]] std::vector<T> download() const {
        const cudaExtent size{size_.width, std::max<std::size_t>(size_.height, 1),
                              std::max<std::size_t>(size_.depth, 1)};
        std::vector<T> to(size.width * size.height * size.depth);
        cudaMemcpy3DParms copy{};
        copy.srcArray = array;
        copy.dstPtr = make_cudaPitchedPtr(to.data(), size.width * sizeof(T), size.width, size.height);
        copy.extent = size;
        copy.kind = cudaMemcpyDeviceToHost;
        CUDA_CHECK(cudaMemcpy3D(&copy));
        return to;
    }

    cudaArray_t array = nullptr;

  private:
    cudaExtent size_;
};

// ----- Kernels. Each thread fetches at one place, from -2 to 10 texels or, if normalised, at 1/8 of that.

constexpr int places = 49;

__device__ float place(unsigned i, float scale) { return (static_cast<float>(i) * 0.25F - 2) * scale; }

template <class T>
__global__ void fetch_kernel(T* to, cudaTextureObject_t texture) {
    const int i = static_cast<int>(threadIdx.x);
    to[i] = tex1Dfetch<T>(texture, i - 5);
}
__global__ void fetch_bytes_kernel(float* to, cudaTextureObject_t texture) {
    const int i = static_cast<int>(threadIdx.x);
    const float4 texel = tex1Dfetch<float4>(texture, i);
    to[i] = texel.x + 2 * texel.y + 4 * texel.z + 8 * texel.w;
}
__global__ void line_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x] = tex1D<float>(texture, place(threadIdx.x, scale));
}
__global__ void plane_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * blockIdx.x] =
        tex2D<float>(texture, place(threadIdx.x, scale), place(blockIdx.x, scale));
}
__global__ void volume_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * (blockIdx.x + places * blockIdx.y)] =
        tex3D<float>(texture, place(threadIdx.x, scale), place(blockIdx.x, scale), place(blockIdx.y, scale));
}
__global__ void line_layers_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * blockIdx.x] =
        tex1DLayered<float>(texture, place(threadIdx.x, scale), static_cast<int>(blockIdx.x) - 1);
}
__global__ void plane_layers_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * (blockIdx.x + places * blockIdx.y)] = tex2DLayered<float>(
        texture, place(threadIdx.x, scale), place(blockIdx.x, scale), static_cast<int>(blockIdx.y) - 1);
}
__global__ void cube_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * (blockIdx.x + places * blockIdx.y)] =
        texCubemap<float>(texture, place(threadIdx.x, scale) - 1, place(blockIdx.x, scale) - 1,
                          place(6 * blockIdx.y, scale) - 1.3F);
}
__global__ void cube_layers_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * (blockIdx.x + places * blockIdx.y)] =
        texCubemapLayered<float>(texture, place(threadIdx.x, scale) - 1, place(blockIdx.x, scale) - 1,
                                 place(8 * blockIdx.y, scale) - 1.3F, static_cast<int>(blockIdx.y % 2));
}
__global__ void gather_kernel(float* to, cudaTextureObject_t texture, float scale) {
    const float x = place(threadIdx.x, scale);
    const float y = place(blockIdx.x, scale);
    const float4 first = tex2Dgather<float4>(texture, x, y, 0);
    const float4 second = tex2Dgather<float4>(texture, x, y, 1);
    const float each[] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
    for (int i = 0; i < 8; ++i) to[8 * (threadIdx.x + places * blockIdx.x) + i] = each[i];
}
__global__ void levels_kernel(float* to, cudaTextureObject_t texture, float scale) {
    to[threadIdx.x + places * (blockIdx.x + places * blockIdx.y)] =
        tex2DLod<float>(texture, place(threadIdx.x, scale), place(blockIdx.x, scale),
                        static_cast<float>(blockIdx.y) * 0.25F - 0.5F);
}

// ----- Linear and pitched memory

std::string linear() {
    const DeviceArray<int> ints{std::span<const int>(texels<int>(40))};
    const DeviceArray<uchar4> bytes{std::span<const uchar4>(texels<uchar4>(40))};
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = ints.data();
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 40 * sizeof(int);
    const Texture of_ints(resource, {});
    resource.res.linear.devPtr = bytes.data();
    resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    const Texture of_bytes(resource, {.read = cudaReadModeNormalizedFloat});
    return result_of(50, 1, 50, fetch_kernel<int>, of_ints.handle) + " " +
           result_of(50, 1, 50, fetch_bytes_kernel, of_bytes.handle);
}

std::string pitched() {
    std::size_t pitch = 0;
    float* memory = nullptr;
    const std::vector<float> from = texels<float>(8 * 8);
    CUDA_CHECK(cudaMallocPitch(&memory, &pitch, 8 * sizeof(float), 8));
    CUDA_CHECK(cudaMemcpy2D(memory, pitch, from.data(), 8 * sizeof(float), 8 * sizeof(float), 8,
                            cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = resource.res.pitch2D.height = 8;
    resource.res.pitch2D.pitchInBytes = pitch;
    std::string text;
    for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        const Texture texture(resource, {.mode = clamp, .filter = filter});
        add(text, result_of(places * places, places, places, plane_kernel, texture.handle, 1.0F));
    }
    CUDA_CHECK(cudaFree(memory));
    return text;
}

// ----- Arrays. Each array is read in four ways, which together cover all address modes and both filters.

constexpr Reading readings[] = {
    {.mode = clamp, .filter = cudaFilterModeLinear},
    {.mode = border},
    {.mode = wrap, .filter = cudaFilterModeLinear, .normalised = true},
    {.mode = mirror, .normalised = true},
};

std::string read_array(const cudaResourceDesc& resource, std::size_t size, dim3 blocks,
                       void (*kernel)(float*, cudaTextureObject_t, float)) {
    std::string text;
    for (const Reading& reading : readings) {
        const Texture texture(resource, reading);
        add(text,
            result_of(size, blocks, places, kernel, texture.handle, reading.normalised ? 0.125F : 1.0F));
    }
    return text;
}

std::string line() {
    const Array<float> array({8, 0, 0});
    return read_array(resource_of(array.array), places, 1, line_kernel);
}
std::string plane() {
    const Array<float> array({8, 8, 0});
    return read_array(resource_of(array.array), places * places, places, plane_kernel);
}
std::string volume() {
    const Array<float> array({8, 8, 8});
    return read_array(resource_of(array.array), places * places * places, dim3(places, places),
                      volume_kernel);
}
std::string line_layers() {
    const Array<float> array({8, 0, 3}, cudaArrayLayered);
    return read_array(resource_of(array.array), 5 * places, 5, line_layers_kernel);
}
std::string plane_layers() {
    const Array<float> array({8, 8, 3}, cudaArrayLayered);
    return read_array(resource_of(array.array), 5 * places * places, dim3(places, 5), plane_layers_kernel);
}
std::string cube() {
    const Array<float> array({8, 8, 6}, cudaArrayCubemap);
    return read_array(resource_of(array.array), 8 * places * places, dim3(places, 8), cube_kernel);
}
std::string cube_layers() {
    const Array<float> array({8, 8, 12}, cudaArrayCubemap | cudaArrayLayered);
    return read_array(resource_of(array.array), 6 * places * places, dim3(places, 6), cube_layers_kernel);
}
std::string gather() {
    const Array<float4> array({8, 8, 0}, cudaArrayTextureGather);
    return read_array(resource_of(array.array), 8 * places * places, places, gather_kernel);
}

std::string levels() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array = nullptr;
    CUDA_CHECK(cudaMallocMipmappedArray(&array, &format, {8, 8, 0}, 4, 0));
    for (unsigned level = 0; level < 4; ++level) {
        cudaArray_t of_level = nullptr;
        CUDA_CHECK(cudaGetMipmappedArrayLevel(&of_level, array, level));
        Array<float>::copy_to(of_level, {8U >> level, 8U >> level, 1});
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    std::string text;
    for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        const Texture texture(resource, {.mode = clamp, .filter = filter, .normalised = true});
        add(text,
            result_of(places * places * 18, dim3(places, 18), places, levels_kernel, texture.handle, 0.125F));
    }
    CUDA_CHECK(cudaFreeMipmappedArray(array));
    return text;
}

// ----- Surfaces

struct Surface {
    explicit Surface(cudaArray_t array) {
        const cudaResourceDesc resource = resource_of(array);
        CUDA_CHECK(cudaCreateSurfaceObject(&handle, &resource));
    }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    ~Surface() { cudaDestroySurfaceObject(handle); }
    cudaSurfaceObject_t handle = 0;
};

/// A result that is too large for an int wraps around.
__device__ int twice_and_1(int number) { return static_cast<int>(2 * static_cast<unsigned>(number) + 1); }

/// Each texel becomes twice its value plus 1. Reads outside give 0 or the texel at the edge.
__global__ void surfaces_kernel(int* to, cudaSurfaceObject_t line, cudaSurfaceObject_t plane,
                                cudaSurfaceObject_t volume, cudaSurfaceObject_t layers) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    int* const mine = to + 10 * (x + 8 * y);
    if (y == 0) {
        mine[0] = surf1Dread<int>(line, 4 * x);
        mine[1] = surf1Dread<int>(line, 4 * (x + 5), cudaBoundaryModeZero);
    }
    mine[2] = surf2Dread<int>(plane, 4 * x, y);
    mine[3] = surf2Dread<int>(plane, 4 * (x - 3), y - 4, cudaBoundaryModeClamp);
    mine[4] = surf2Dread<int>(plane, 4 * (x + 3), y + 4, cudaBoundaryModeZero);
    mine[5] = surf3Dread<int>(volume, 4 * x, y, 1);
    mine[6] = surf3Dread<int>(volume, 4 * x, y + 3, 2, cudaBoundaryModeZero);
    mine[7] = surf2DLayeredread<int>(layers, 4 * x, y, 2);
    mine[8] = surf2DLayeredread<int>(layers, 4 * x, y + 3, 1, cudaBoundaryModeZero);
    __syncthreads();
    if (y == 0) surf1Dwrite(twice_and_1(mine[0]), line, 4 * x);
    surf2Dwrite(twice_and_1(mine[2]), plane, 4 * x, y);
    surf2Dwrite(77, plane, 4 * (x + 8), y, cudaBoundaryModeZero);
    surf3Dwrite(twice_and_1(mine[5]), volume, 4 * x, y, 1);
    surf2DLayeredwrite(twice_and_1(mine[7]), layers, 4 * x, y, 2);
}

std::string surfaces() {
    const Array<int> line({8, 0, 0}, cudaArraySurfaceLoadStore);
    const Array<int> plane({8, 8, 0}, cudaArraySurfaceLoadStore);
    const Array<int> volume({8, 8, 3}, cudaArraySurfaceLoadStore);
    const Array<int> layers({8, 8, 3}, cudaArraySurfaceLoadStore | cudaArrayLayered);
    const Surface line_surface(line.array);
    const Surface plane_surface(plane.array);
    const Surface volume_surface(volume.array);
    const Surface layers_surface(layers.array);
    std::string text = result_of(640, 1, dim3(8, 8), surfaces_kernel, line_surface.handle,
                                 plane_surface.handle, volume_surface.handle, layers_surface.handle);
    for (const Array<int>* array : {&line, &plane, &volume, &layers}) add(text, text_of(array->download()));
    return text;
}

// ----- What CUDA refuses

std::string wrong_textures() {
    std::string text;
    const DeviceArray<float> memory(64);
    const Array<float> floats({8, 8, 0});
    const Array<int> ints({8, 8, 0});
    const auto attempt = [&](const cudaResourceDesc& resource, const Reading& reading) {
        cudaTextureObject_t handle = 0;
        const cudaTextureDesc description = description_of(reading);
        const cudaError_t error = cudaCreateTextureObject(&handle, &resource, &description, nullptr);
        static_cast<void>(cudaGetLastError());
        if (error == cudaSuccess) CUDA_CHECK(cudaDestroyTextureObject(handle));
        add(text, std::string(cudaGetErrorName(error)));
    };
    attempt(resource_of(ints.array), {.filter = cudaFilterModeLinear});
    attempt(resource_of(floats.array), {.read = cudaReadModeNormalizedFloat});
    attempt(resource_of(floats.array), {.mode = wrap});
    attempt(resource_of(nullptr), {});
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory.data() + 1;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 16;
    attempt(resource, {});
    resource.res.linear.devPtr = memory.data();
    attempt(resource, {.filter = cudaFilterModeLinear});
    attempt(resource, {.normalised = true});
    resource.res.linear.sizeInBytes = std::size_t{1} << 40;
    attempt(resource, {});
    resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory.data();
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 2;
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = 12;
    attempt(resource, {});
    cudaSurfaceObject_t surface = 0;
    const cudaResourceDesc not_a_surface = resource_of(floats.array);
    add(text, std::string(cudaGetErrorName(cudaCreateSurfaceObject(&surface, &not_a_surface))));
    static_cast<void>(cudaGetLastError());
    return text;
}

std::string wrong_arrays() {
    std::string text;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    const auto attempt = [&](const cudaChannelFormatDesc& format, cudaExtent size, unsigned flags) {
        cudaArray_t array = nullptr;
        const cudaError_t error = cudaMalloc3DArray(&array, &format, size, flags);
        static_cast<void>(cudaGetLastError());
        if (error == cudaSuccess) CUDA_CHECK(cudaFreeArray(array));
        add(text, std::string(cudaGetErrorName(error)));
    };
    attempt(floats, {0, 0, 0}, 0);
    attempt(floats, {200000, 0, 0}, 0);
    attempt(floats, {8, 70000, 0}, 0);
    attempt(floats, {20000, 8, 8}, 0);
    attempt(floats, {8, 8, 5}, cudaArrayCubemap);
    attempt(floats, {8, 4, 6}, cudaArrayCubemap);
    attempt(floats, {8, 8, 7}, cudaArrayCubemap | cudaArrayLayered);
    attempt(floats, {8, 8, 3000}, cudaArrayLayered);
    attempt(floats, {8, 0, 0}, cudaArrayTextureGather);
    attempt(cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat), {8, 8, 0}, 0);
    attempt(cudaCreateChannelDesc(24, 0, 0, 0, cudaChannelFormatKindUnsigned), {8, 8, 0}, 0);
    return text;
}

constexpr Feature texture_table[] = {
    {"linear textures", linear},
    {"pitched textures", pitched},
    {"arrays of one dimension", line},
    {"arrays of two dimensions", plane},
    {"arrays of three dimensions", volume},
    {"layers of one dimension", line_layers},
    {"layers of two dimensions", plane_layers},
    {"cubemaps", cube},
    {"layers of cubemaps", cube_layers},
    {"gather", gather},
    {"mipmaps", levels},
    {"surfaces", surfaces},
    {"wrong textures", wrong_textures},
    {"wrong arrays", wrong_arrays},
};

}  // namespace

std::span<const Feature> texture_features() { return texture_table; }

}  // namespace cudabook::test
