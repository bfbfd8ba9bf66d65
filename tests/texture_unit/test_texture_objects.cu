// Texture objects: what is refused, what they remember, and how texels of every format are converted.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"
#include "common/texture_model/texels.hpp"
#include "tests/support/emulated_gpu.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

template <class T>
cudaResourceDesc linear(const DeviceArray<T>& memory) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory.data();
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = memory.size() * sizeof(T);
    return resource;
}

template <class T>
cudaResourceDesc pitched(const DeviceArray<T>& memory, std::size_t width, std::size_t height,
                         std::size_t pitch_bytes) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory.data();
    resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch_bytes;
    return resource;
}

/// The error of cudaCreateTextureObject for these descriptions.
cudaError_t error_of(const cudaResourceDesc& resource, const cudaTextureDesc& description = {}) {
    cudaTextureObject_t texture = 0;
    const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    EXPECT_EQ(cudaGetLastError(), error);
    if (error == cudaSuccess) cudaDestroyTextureObject(texture);
    return error;
}

class CudaTextureObjects : public test::Gpu {};
class EmulatedTextureObjects : public test::EmulatedGpu {};

TEST_F(CudaTextureObjects, RefuseMemoryThatTheyCannotRead) {
    const DeviceArray<float> memory(4096);
    EXPECT_EQ(error_of(linear(memory)), cudaSuccess);
    cudaResourceDesc resource = linear(memory);
    resource.res.linear.devPtr = memory.data() + 1;
    EXPECT_EQ(error_of(resource), cudaErrorInvalidValue);
    resource = linear(memory);
    resource.res.linear.desc = cudaCreateChannelDesc<float3>();
    EXPECT_EQ(error_of(resource), cudaErrorInvalidChannelDescriptor);

    EXPECT_EQ(error_of(pitched(memory, 8, 4, 32)), cudaSuccess);
    EXPECT_EQ(error_of(pitched(memory, 8, 4, 36)), cudaErrorInvalidValue);
}

TEST_F(CudaTextureObjects, RefuseToBlendIntegers) {
    cudaTextureDesc blending{};
    blending.filterMode = cudaFilterModeLinear;
    const CudaArray integers(cudaCreateChannelDesc<int>(), make_cudaExtent(4, 4, 0));
    EXPECT_EQ(error_of(resource_of(integers.get()), blending), cudaErrorInvalidFilterSetting);
    const CudaArray bytes(cudaCreateChannelDesc<uchar4>(), make_cudaExtent(4, 4, 0));
    EXPECT_EQ(error_of(resource_of(bytes.get()), blending), cudaErrorInvalidFilterSetting);
    blending.readMode = cudaReadModeNormalizedFloat;
    EXPECT_EQ(error_of(resource_of(bytes.get()), blending), cudaSuccess);
}

TEST_F(CudaTextureObjects, RememberWhatTheyWereMadeOf) {
    const DeviceArray<float> memory(64);
    cudaTextureDesc description{};
    description.addressMode[0] = cudaAddressModeBorder;
    const TextureObject texture(pitched(memory, 8, 4, 64), description);
    cudaResourceDesc resource{};
    ASSERT_EQ(cudaGetTextureObjectResourceDesc(&resource, texture.handle()), cudaSuccess);
    EXPECT_EQ(resource.resType, cudaResourceTypePitch2D);
    EXPECT_EQ(resource.res.pitch2D.devPtr, memory.data());
    EXPECT_EQ(resource.res.pitch2D.pitchInBytes, 64U);
    cudaTextureDesc found{};
    ASSERT_EQ(cudaGetTextureObjectTextureDesc(&found, texture.handle()), cudaSuccess);
    EXPECT_EQ(found.addressMode[0], cudaAddressModeBorder);
}

template <class T>
__global__ void fetch(T* to, cudaTextureObject_t texture) {
    const int i = static_cast<int>(threadIdx.x);
    tex1Dfetch(to + i, texture, i);
}

template <class T>
std::vector<T> fetched(const cudaResourceDesc& resource, const cudaTextureDesc& description, unsigned count) {
    const TextureObject texture(resource, description);
    const DeviceArray<T> to(count);
    const Stream stream;
    launch(fetch<T>, 1, count, stream, to.data(), texture.handle());
    return to.download();
}

/// Extreme values of an integer type come back as they are.
template <class T>
void expect_integers() {
    using Limits = std::numeric_limits<T>;
    const std::vector<T> values{0, 1, Limits::max(), Limits::min(), static_cast<T>(Limits::max() - 1)};
    const DeviceArray<T> memory{std::span<const T>(values)};
    EXPECT_EQ(fetched<T>(linear(memory), {}, 5), values);
}

TEST_F(CudaTextureObjects, IntegersOfEverySize) {
    expect_integers<signed char>();
    expect_integers<unsigned char>();
    expect_integers<short>();
    expect_integers<unsigned short>();
    expect_integers<int>();
    expect_integers<unsigned>();
}

TEST_F(CudaTextureObjects, BytesAreWidened) {
    const DeviceArray<signed char> memory{
        std::span<const signed char>(std::vector<signed char>{-128, 127, -1})};
    EXPECT_EQ(fetched<int>(linear(memory), {}, 3), (std::vector{-128, 127, -1}));
}

/// Reads an array through tex2D.
__global__ void fetch_row(int* to, cudaTextureObject_t texture) {
    to[threadIdx.x] = tex2D<int>(texture, static_cast<float>(threadIdx.x), 0);
}

TEST_F(CudaTextureObjects, IntegersOfAnArray) {
    const std::vector<int> values{INT32_MIN, INT32_MAX, 0x7f800001, -1, 16777217};
    const CudaArray array(values, make_cudaExtent(5, 1, 0));
    for (const cudaTextureAddressMode mode : {cudaAddressModeClamp, cudaAddressModeBorder}) {
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = mode;
        const TextureObject texture(array.get(), description);
        const DeviceArray<int> to(5);
        const Stream stream;
        launch(fetch_row, 1, 5, stream, to.data(), texture.handle());
        EXPECT_EQ(to.download(), values);
    }
}

TEST_F(CudaTextureObjects, HalvesBecomeFloats) {
    const std::vector<std::uint16_t> halves{0x3c00, 0xc500, 0x7bff, 0x0001, 0x83ff, 0xfc00, 0x3555, 0x8000};
    const DeviceArray<std::uint16_t> memory{std::span<const std::uint16_t>(halves)};
    cudaResourceDesc resource = linear(memory);
    resource.res.linear.desc = cudaCreateChannelDescHalf();
    const std::vector<float> floats = fetched<float>(resource, {}, 8);
    for (std::size_t i = 0; i < halves.size(); ++i)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(floats[i]),
                  std::bit_cast<std::uint32_t>(texture_unit::from_half(halves[i])));
}

/// Missing components are 0. The fourth component is not tested, because the guide does not define it.
TEST_F(CudaTextureObjects, MissingComponents) {
    const DeviceArray<float2> memory{std::span<const float2>(std::vector<float2>{{1, 2}, {3, 4}})};
    const std::vector<float4> texels = fetched<float4>(linear(memory), {}, 2);
    EXPECT_EQ(texels[1].x, 3);
    EXPECT_EQ(texels[1].y, 4);
    EXPECT_EQ(texels[1].z, 0);
}

__global__ void fetch_all(float4* to, cudaTextureObject_t texture) {
    const int i = static_cast<int>(threadIdx.x);
    to[i] = tex1D<float4>(texture, static_cast<float>(i) + 0.5F);
}

TEST_F(CudaTextureObjects, Srgb) {
    std::vector<uchar4> bytes;
    for (int i = 0; i < 256; ++i) {
        const auto byte = static_cast<unsigned char>(i);
        bytes.push_back(make_uchar4(byte, byte, byte, byte));
    }
    const CudaArray array(bytes, make_cudaExtent(256, 0, 0));
    cudaTextureDesc description{};
    description.readMode = cudaReadModeNormalizedFloat;
    description.sRGB = 1;
    const TextureObject texture(array.get(), description);
    const DeviceArray<float4> to(256);
    const Stream stream;
    launch(fetch_all, 1, 256, stream, to.data(), texture.handle());
    const std::vector<float4> texels = to.download();
    for (std::size_t i = 0; i < 256; ++i) {
        // The decoded values have enough bits to tell the 256 values apart.
        const float linear = texture_unit::from_srgb(static_cast<std::uint8_t>(i));
        EXPECT_NEAR(texels[i].x, linear, 0x1p-8) << i;
        EXPECT_NEAR(texels[i].z, linear, 0x1p-8) << i;
        EXPECT_EQ(texels[i].w, static_cast<float>(i) / 255) << i;
    }
}

__global__ void fetch_cube(float* to, cudaTextureObject_t texture, const float3* directions) {
    const float3 d = directions[threadIdx.x];
    to[threadIdx.x] = texCubemap<float>(texture, d.x, d.y, d.z);
}

/// Faces with one value each are blended: at an edge half of each face, at a corner the mean of three faces.
TEST_F(CudaTextureObjects, SeamlessCubes) {
    std::vector<float> texels;
    for (int face = 0; face < 6; ++face) texels.insert(texels.end(), 16, static_cast<float>(3 << face));
    const CudaArray array(texels, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    cudaTextureDesc description{};
    description.filterMode = cudaFilterModeLinear;
    description.normalizedCoords = 1;
    description.seamlessCubemap = 1;
    const TextureObject texture(array.get(), description);
    const DeviceArray<float3> directions{
        std::span<const float3>(std::vector<float3>{{1, 0, 0}, {1, 0, 1}, {0, -1, 1}, {1, 1, 1}})};
    const DeviceArray<float> to(4);
    const Stream stream;
    launch(fetch_cube, 1, 4, stream, to.data(), texture.handle(),
           static_cast<const float3*>(directions.data()));
    const std::vector<float> blends = to.download();
    EXPECT_EQ(blends[0], 3);
    EXPECT_EQ(blends[1], 25.5F);
    EXPECT_EQ(blends[2], 36);
    EXPECT_NEAR(blends[3], 21, 0.2) << "at a corner an H200 gives 21.1055";
}

TEST_F(EmulatedTextureObjects, FetchesFromNoneEndTheKernel) {
    for (const cudaTextureObject_t none : {cudaTextureObject_t{0}, cudaTextureObject_t{1} << 40U}) {
        const std::string error = test::error_text<CudaError>([&] {
            const DeviceArray<float> to(1);
            const Stream stream;
            launch(fetch<float>, 1, 1, stream, to.data(), none);
            CUDA_CHECK(cudaDeviceSynchronize());
        });
        EXPECT_NE(error.find("which does not exist"), std::string::npos) << error;
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }
}

TEST_F(EmulatedTextureObjects, FetchesForAnotherShapeEndTheKernel) {
    const std::string error = test::error_text<CudaError>([&] {
        const DeviceArray<float4> memory(64);
        const TextureObject texture(pitched(memory, 4, 4, 64), {});
        const Stream stream;
        launch(fetch_all, 1, 1, stream, memory.data(), texture.handle());
        CUDA_CHECK(cudaDeviceSynchronize());
    });
    EXPECT_NE(error.find("a fetch for a texture of one dimension"), std::string::npos) << error;
}

}  // namespace
}  // namespace cudabook
