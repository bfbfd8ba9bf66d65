// CUDA arrays: the kinds that exist, copies, and refused calls.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

template <class T>
std::vector<T> counted(std::size_t size) {
    std::vector<T> values(size);
    std::iota(values.begin(), values.end(), T{1});
    return values;
}

/// The error of an allocation. If there is none, the array is freed.
cudaError_t error_of(const cudaChannelFormatDesc& format, cudaExtent extent, unsigned flags = 0) {
    cudaArray_t memory = nullptr;
    const cudaError_t error = cudaMalloc3DArray(&memory, &format, extent, flags);
    if (error == cudaSuccess)
        cudaFreeArray(memory);
    else
        EXPECT_EQ(cudaGetLastError(), error);
    return error;
}

int limit(cudaDeviceAttr attribute) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, test::Gpu::device().index));
    return value;
}

class CudaArrays : public test::Gpu {
  protected:
    const cudaChannelFormatDesc floats_ = cudaCreateChannelDesc<float>();
};

TEST_F(CudaArrays, KnowWhatTheyAre) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
    const CudaArray array(format, make_cudaExtent(7, 0, 3), cudaArrayLayered | cudaArraySurfaceLoadStore);
    cudaChannelFormatDesc found{};
    cudaExtent extent{};
    unsigned flags = 0;
    ASSERT_EQ(cudaArrayGetInfo(&found, &extent, &flags, array.get()), cudaSuccess);
    EXPECT_EQ(found.x, 16);
    EXPECT_EQ(found.y, 16);
    EXPECT_EQ(found.z, 0);
    EXPECT_EQ(found.f, cudaChannelFormatKindSigned);
    EXPECT_EQ(extent.width, 7U);
    EXPECT_EQ(extent.height, 0U);
    EXPECT_EQ(extent.depth, 3U);
    EXPECT_EQ(flags, static_cast<unsigned>(cudaArrayLayered | cudaArraySurfaceLoadStore));
    cudaChannelFormatDesc alone{};
    ASSERT_EQ(cudaGetChannelDesc(&alone, array.get()), cudaSuccess);
    EXPECT_EQ(alone.w, 0);
    EXPECT_EQ(alone.y, 16);
}

TEST_F(CudaArrays, FormatsOfTypes) {
    const auto is = [](const cudaChannelFormatDesc& format, int x, int y, int z, int w,
                       cudaChannelFormatKind kind) {
        return format.x == x && format.y == y && format.z == z && format.w == w && format.f == kind;
    };
    // On ARM64 char is unsigned, to CUDA too.
    const auto kind_of_char =
        std::is_signed_v<char> ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
    EXPECT_TRUE(is(cudaCreateChannelDesc<char>(), 8, 0, 0, 0, kind_of_char));
    EXPECT_TRUE(is(cudaCreateChannelDesc<signed char>(), 8, 0, 0, 0, cudaChannelFormatKindSigned));
    EXPECT_TRUE(is(cudaCreateChannelDesc<unsigned char>(), 8, 0, 0, 0, cudaChannelFormatKindUnsigned));
    EXPECT_TRUE(is(cudaCreateChannelDesc<ushort4>(), 16, 16, 16, 16, cudaChannelFormatKindUnsigned));
    EXPECT_TRUE(is(cudaCreateChannelDesc<int1>(), 32, 0, 0, 0, cudaChannelFormatKindSigned));
    EXPECT_TRUE(is(cudaCreateChannelDesc<float2>(), 32, 32, 0, 0, cudaChannelFormatKindFloat));
    EXPECT_TRUE(is(cudaCreateChannelDesc<float3>(), 0, 0, 0, 0, cudaChannelFormatKindNone));
    EXPECT_TRUE(is(cudaCreateChannelDesc<double>(), 0, 0, 0, 0, cudaChannelFormatKindNone));
    EXPECT_TRUE(is(cudaCreateChannelDescHalf2(), 16, 16, 0, 0, cudaChannelFormatKindFloat));
}

TEST_F(CudaArrays, OfEveryShapeKeepTheirTexels) {
    for (const auto& [extent, flags] : {std::pair{make_cudaExtent(5, 0, 0), 0},
                                        {make_cudaExtent(5, 3, 0), 0},
                                        {make_cudaExtent(5, 3, 2), 0},
                                        {make_cudaExtent(5, 0, 4), cudaArrayLayered},
                                        {make_cudaExtent(5, 3, 4), cudaArrayLayered},
                                        {make_cudaExtent(3, 3, 6), cudaArrayCubemap},
                                        {make_cudaExtent(3, 3, 12), cudaArrayCubemap | cudaArrayLayered},
                                        {make_cudaExtent(5, 3, 0), cudaArrayTextureGather}}) {
        const std::size_t count =
            extent.width * std::max<std::size_t>(extent.height, 1) * std::max<std::size_t>(extent.depth, 1);
        const std::vector<float> values = counted<float>(count);
        const CudaArray array(values, extent, static_cast<unsigned>(flags));
        EXPECT_EQ(array.texels<float>(), values)
            << extent.width << " " << extent.height << " " << extent.depth << ", flags " << flags;
    }
}

TEST_F(CudaArrays, HoldWhatTheDeviceHad) {
    const std::vector<int> values = counted<int>(37 * 5);
    const DeviceArray<int> device{std::span<const int>(values)};
    CudaArray array = CudaArray::plane<int>(37, 5);
    array.copy_from(device.data());
    EXPECT_EQ(array.texels<int>(), values);
}

TEST_F(CudaArrays, LargerThanAnyTexture) {
    EXPECT_THROW(CudaArray::plane<int>(std::size_t{1} << 30U, 2), CudaError);
}

TEST_F(CudaArrays, CopiesOfAPart) {
    const cudaExtent extent = make_cudaExtent(6, 4, 0);
    const CudaArray array(std::vector<int>(24, 0), extent);
    const std::vector<int> rows = counted<int>(10);
    // Copies 3 × 2 texels, from rows of 5, to column 2, row 1.
    ASSERT_EQ(cudaMemcpy2DToArray(array.get(), 2 * sizeof(int), 1, rows.data(), 5 * sizeof(int),
                                  3 * sizeof(int), 2, cudaMemcpyHostToDevice),
              cudaSuccess);
    EXPECT_EQ(array.texels<int>(), (std::vector{0, 0, 0, 0, 0, 0,  //
                                                0, 0, 1, 2, 3, 0,  //
                                                0, 0, 6, 7, 8, 0,  //
                                                0, 0, 0, 0, 0, 0}));
    std::vector<int> back(6, -1);
    ASSERT_EQ(cudaMemcpy2DFromArray(back.data(), 3 * sizeof(int), array.get(), 3 * sizeof(int), 1,
                                    2 * sizeof(int), 2, cudaMemcpyDefault),
              cudaSuccess);
    EXPECT_EQ(back, (std::vector{2, 3, -1, 7, 8, -1}));
}

TEST_F(CudaArrays, CopiesBetweenArraysAndDeviceMemory) {
    const cudaExtent extent = make_cudaExtent(4, 3, 2);
    const std::vector<int> values = counted<int>(24);
    const CudaArray from(values, extent);
    const CudaArray to(std::vector<int>(24, 0), extent);
    cudaMemcpy3DParms copy{};
    copy.srcArray = from.get();
    copy.srcPos = make_cudaPos(1, 1, 1);
    copy.dstArray = to.get();
    copy.dstPos = make_cudaPos(2, 0, 0);
    copy.extent = make_cudaExtent(2, 2, 1);
    copy.kind = cudaMemcpyDeviceToDevice;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    std::vector<int> expected(24, 0);
    expected[2] = 18;
    expected[3] = 19;
    expected[6] = 22;
    expected[7] = 23;
    EXPECT_EQ(to.texels<int>(), expected);

    const DeviceArray<int> memory{std::span<const int>(std::vector<int>(24))};
    copy = {};
    copy.srcArray = from.get();
    copy.dstPtr = make_cudaPitchedPtr(memory.data(), 4 * sizeof(int), 4, 3);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToDevice;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    EXPECT_EQ(memory.download(), values);
}

TEST_F(CudaArrays, CopiesInAStream) {
    const cudaExtent extent = make_cudaExtent(4, 2, 0);
    const std::vector<float> values = counted<float>(8);
    const CudaArray array(floats_, extent);
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreate(&stream));
    EXPECT_EQ(
        cudaMemcpy2DToArrayAsync(array.get(), 0, 0, values.data(), 16, 16, 2, cudaMemcpyHostToDevice, stream),
        cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    CUDA_CHECK(cudaStreamDestroy(stream));
    EXPECT_EQ(array.texels<float>(), values);
}

TEST_F(CudaArrays, NotEveryShapeExists) {
    const auto refused = [&](std::size_t x, std::size_t y, std::size_t z, unsigned flags = 0) {
        EXPECT_EQ(error_of(floats_, make_cudaExtent(x, y, z), flags), cudaErrorInvalidValue)
            << x << " " << y << " " << z << ", flags " << flags;
    };
    refused(0, 0, 0);
    refused(0, 4, 0);
    refused(4, 0, 4);
    refused(4, 4, 0, cudaArrayLayered);
    refused(4, 4, 5, cudaArrayCubemap);
    refused(4, 3, 6, cudaArrayCubemap);
    refused(4, 4, 7, cudaArrayCubemap | cudaArrayLayered);
    refused(4, 4, 4, cudaArrayTextureGather);
    for (const cudaChannelFormatDesc& format :
         {cudaCreateChannelDesc<float3>(), cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
          cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat),
          cudaCreateChannelDesc(64, 0, 0, 0, cudaChannelFormatKindSigned)})
        EXPECT_EQ(error_of(format, make_cudaExtent(4, 4, 0)), cudaErrorInvalidChannelDescriptor);
}

TEST_F(CudaArrays, AreAsLargeAsTheDeviceSays) {
    const auto line = static_cast<std::size_t>(limit(cudaDevAttrMaxTexture1DWidth));
    EXPECT_EQ(error_of(floats_, make_cudaExtent(line, 0, 0)), cudaSuccess);
    EXPECT_EQ(error_of(floats_, make_cudaExtent(line + 1, 0, 0)), cudaErrorInvalidValue);
    const auto width = static_cast<std::size_t>(limit(cudaDevAttrMaxTexture2DWidth));
    const auto height = static_cast<std::size_t>(limit(cudaDevAttrMaxTexture2DHeight));
    EXPECT_EQ(error_of(floats_, make_cudaExtent(width, 1, 0)), cudaSuccess);
    EXPECT_EQ(error_of(floats_, make_cudaExtent(width + 1, 1, 0)), cudaErrorInvalidValue);
    EXPECT_EQ(error_of(floats_, make_cudaExtent(1, height, 0)), cudaSuccess);
    EXPECT_EQ(error_of(floats_, make_cudaExtent(1, height + 1, 0)), cudaErrorInvalidValue);
    const auto layers = static_cast<std::size_t>(limit(cudaDevAttrMaxTexture1DLayeredLayers));
    EXPECT_EQ(error_of(floats_, make_cudaExtent(1, 0, layers), cudaArrayLayered), cudaSuccess);
    EXPECT_EQ(error_of(floats_, make_cudaExtent(1, 0, layers + 1), cudaArrayLayered), cudaErrorInvalidValue);
    const auto surface = static_cast<std::size_t>(limit(cudaDevAttrMaxSurface1DWidth));
    EXPECT_EQ(error_of(floats_, make_cudaExtent(surface, 0, 0), cudaArraySurfaceLoadStore), cudaSuccess);
    EXPECT_EQ(error_of(floats_, make_cudaExtent(surface + 1, 0, 0), cudaArraySurfaceLoadStore),
              cudaErrorInvalidValue);
}

TEST_F(CudaArrays, CopiesOutOfRangeAreRefused) {
    const CudaArray array(floats_, make_cudaExtent(4, 2, 0));
    const std::vector<float> values(64);
    const auto copied = [&](std::size_t x_bytes, std::size_t y, std::size_t pitch, std::size_t bytes,
                            std::size_t rows, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
        const cudaError_t error =
            cudaMemcpy2DToArray(array.get(), x_bytes, y, values.data(), pitch, bytes, rows, kind);
        EXPECT_EQ(cudaGetLastError(), error);
        return error;
    };
    EXPECT_EQ(copied(0, 0, 16, 16, 2), cudaSuccess);
    EXPECT_EQ(copied(0, 0, 20, 20, 1), cudaErrorInvalidValue);
    EXPECT_EQ(copied(4, 0, 16, 16, 1), cudaErrorInvalidValue);
    EXPECT_EQ(copied(0, 1, 16, 16, 2), cudaErrorInvalidValue);
    EXPECT_EQ(copied(0, 0, 12, 16, 2), cudaErrorInvalidPitchValue);
    EXPECT_EQ(copied(0, 0, 16, 16, 2, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);

    cudaMemcpy3DParms none{};
    none.extent = make_cudaExtent(1, 1, 1);
    EXPECT_EQ(cudaMemcpy3D(&none), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(CudaArrays, Levels) {
    cudaMipmappedArray_t mipmap = nullptr;
    ASSERT_EQ(cudaMallocMipmappedArray(&mipmap, &floats_, make_cudaExtent(8, 4, 0), 3), cudaSuccess);
    for (unsigned level = 0; level < 3; ++level) {
        cudaArray_t array = nullptr;
        ASSERT_EQ(cudaGetMipmappedArrayLevel(&array, mipmap, level), cudaSuccess);
        cudaExtent extent{};
        ASSERT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, array), cudaSuccess);
        EXPECT_EQ(extent.width, 8U >> level);
        EXPECT_EQ(extent.height, 4U >> level);
    }
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaGetMipmappedArrayLevel(&array, mipmap, 3), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaSuccess);
}

TEST_F(CudaArrays, FreeOfNothing) {
    EXPECT_EQ(cudaFreeArray(nullptr), cudaSuccess);
    EXPECT_EQ(cudaFreeMipmappedArray(nullptr), cudaSuccess);
}

}  // namespace
}  // namespace cudabook
