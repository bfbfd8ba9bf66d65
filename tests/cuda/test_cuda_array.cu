// common/cuda/cuda_array.cuh: the ownership of arrays, with levels or without; freed memory, and too little
// memory. tests/texture_unit/test_arrays.cu tests the shapes and the copies.
#include <cstddef>
#include <numeric>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

std::vector<float> floats_from(float first, std::size_t size) {
    std::vector<float> values(size);
    std::iota(values.begin(), values.end(), first);
    return values;
}

const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();

/// 16384 × 16384 × 128 texels of 16 bytes: 2^19 MiB.
const cudaExtent too_large = make_cudaExtent(16384, 16384, 128);

/// Expects the error of a call that asks for more memory than the device has free.
void expect_out_of_memory(const std::string& error, const std::string& call) {
    EXPECT_TRUE(std::regex_match(error, std::regex("out of memory: " + call +
                                                   " asked for [0-9]+\\.[0-9] MiB, and [0-9]+\\.[0-9] of the "
                                                   "device's [0-9]+\\.[0-9] MiB are free")))
        << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the error is cleared";
}

class CudaArrayOwner : public test::Gpu {};

TEST_F(CudaArrayOwner, Moves) {
    CudaArray first(floats_from(0, 6), make_cudaExtent(3, 2, 0));
    cudaArray_t const memory = first.get();
    CudaArray second = std::move(first);
    EXPECT_EQ(second.get(), memory);
    EXPECT_EQ(first.get(), nullptr);
    EXPECT_EQ(second.texels<float>(), floats_from(0, 6));
    second = CudaArray(floats_from(5, 4), make_cudaExtent(4, 0, 0));
    EXPECT_EQ(second.extent().width, 4U);
    EXPECT_EQ(second.texels<float>(), floats_from(5, 4));
}

TEST_F(CudaArrayOwner, FreesItsMemory) {
    // 200 GiB in all, more than a GPU has.
    constexpr std::size_t side = 8192;
    for (int i = 0; i < 200; ++i) ASSERT_NE(CudaArray::plane<float4>(side, side).get(), nullptr);
}

TEST_F(CudaArrayOwner, MoreThanTheDeviceHas) {
    expect_out_of_memory(test::error_text<MachineError>(
                             [] { const CudaArray array(cudaCreateChannelDesc<float4>(), too_large); }),
                         "cudaMalloc3DArray");
}

TEST_F(CudaArrayOwner, FormatThatNoTextureHas) {
    const std::string error = test::error_text<CudaError>(
        [] { const CudaArray array(cudaCreateChannelDesc<float3>(), make_cudaExtent(4, 4, 0)); });
    EXPECT_NE(error.find("cudaMalloc3DArray"), std::string::npos) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

__global__ void fetch_levels(float* to, cudaTextureObject_t texture, int levels) {
    for (int level = 0; level < levels; ++level)
        to[level] = tex2DLod<float>(texture, 0, 0, static_cast<float>(level));
}

class CudaMipmappedArray : public test::Gpu {
  protected:
    /// The first texel of each level.
    static std::vector<float> first_texels(const MipmappedArray& array) {
        cudaTextureDesc description{};
        description.normalizedCoords = 1;
        description.maxMipmapLevelClamp = static_cast<float>(array.levels() - 1);
        const TextureObject texture(array.get(), description);
        const DeviceArray<float> to(array.levels());
        const Stream stream;
        launch(fetch_levels, 1, 1, stream, to.data(), texture.handle(), static_cast<int>(array.levels()));
        stream.synchronize();
        return to.download();
    }

    static void fill(MipmappedArray& array, float first) {
        for (unsigned level = 0; level < array.levels(); ++level) {
            const cudaExtent extent = array.extent(level);
            array.copy_from(
                level, floats_from(first + static_cast<float>(level), extent.width * extent.height).data());
        }
    }
};

TEST_F(CudaMipmappedArray, LevelsAreHalvesAndAtLeastATexel) {
    const MipmappedArray array(floats, make_cudaExtent(13, 4, 0), 4);
    const std::vector<std::size_t> widths{13, 6, 3, 1};
    const std::vector<std::size_t> heights{4, 2, 1, 1};
    ASSERT_EQ(array.levels(), 4U);
    for (unsigned level = 0; level < 4; ++level) {
        EXPECT_EQ(array.extent(level).width, widths[level]);
        EXPECT_EQ(array.extent(level).height, heights[level]);
        EXPECT_EQ(array.extent(level).depth, 0U) << "a plane has none";
    }
}

TEST_F(CudaMipmappedArray, Moves) {
    MipmappedArray first(floats, make_cudaExtent(8, 4, 0), 3);
    fill(first, 10);
    cudaMipmappedArray_t const memory = first.get();
    MipmappedArray second = std::move(first);
    EXPECT_EQ(second.get(), memory);
    EXPECT_EQ(first.get(), nullptr);
    EXPECT_EQ(first_texels(second), floats_from(10, 3));
    MipmappedArray third(floats, make_cudaExtent(2, 2, 0), 2);
    fill(third, 20);
    second = std::move(third);
    EXPECT_EQ(second.levels(), 2U);
    EXPECT_EQ(first_texels(second), floats_from(20, 2));
}

TEST_F(CudaMipmappedArray, LevelThatItHasNot) {
    MipmappedArray array(floats, make_cudaExtent(8, 4, 0), 2);
    const float texel = 0;
    EXPECT_THROW(array.copy_from(2, &texel), CudaError);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(CudaMipmappedArray, MoreThanTheDeviceHas) {
    expect_out_of_memory(test::error_text<MachineError>([] {
                             const MipmappedArray array(cudaCreateChannelDesc<float4>(), too_large, 2);
                         }),
                         "cudaMallocMipmappedArray");
}

}  // namespace
}  // namespace cudabook
