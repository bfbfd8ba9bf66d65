// common/cuda/texture.cuh: what a kernel reads through each kind of texture, in range and out of range.
#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::error_text;

template <class T>
__global__ void fetch(T* to, cudaTextureObject_t texture, const int* indices, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = tex1Dfetch<T>(texture, indices[i]);
}

/// The result of tex1Dfetch for each index.
template <class T>
std::vector<T> fetched(const TextureObject& texture, const std::vector<int>& indices) {
    const DeviceArray<int> from{std::span(indices)};
    const DeviceArray<T> to(indices.size());
    const Stream stream;
    const int count = static_cast<int>(indices.size());
    launch(fetch<T>, (count + 127) / 128, 128, stream, to.data(), texture.handle(), from.data(), count);
    return to.download();
}

std::vector<int> first_indices(int count) {
    std::vector<int> indices(count);
    for (int i = 0; i < count; ++i) indices[i] = i;
    return indices;
}

class CudaLinearTexture : public test::Gpu {
  protected:
    /// The texture spans the first `size` values; more memory follows.
    static constexpr int size = 1000;
    CudaLinearTexture() : values_(size + 2000) {
        for (int i = 0; i < static_cast<int>(values_.size()); ++i) values_[i] = 0.5F + static_cast<float>(i);
    }
    std::vector<float> values_;
};

TEST_F(CudaLinearTexture, ReadsEveryTexel) {
    const DeviceArray<float> memory{std::span<const float>(values_)};
    const TextureObject texture = TextureObject::linear(memory.data(), size);
    EXPECT_EQ(fetched<float>(texture, first_indices(size)),
              std::vector<float>(values_.begin(), values_.begin() + size));
}

TEST_F(CudaLinearTexture, ReadsZeroPastTheEnd) {
    const DeviceArray<float> memory{std::span<const float>(values_)};
    const TextureObject texture = TextureObject::linear(memory.data(), size);
    EXPECT_EQ(fetched<float>(texture, {0, size - 1, size, size + 1, size + 1999, 1 << 24, INT_MAX}),
              (std::vector<float>{0.5F, values_[size - 1], 0, 0, 0, 0, 0}));
}

TEST_F(CudaLinearTexture, OfOneTexel) {
    const DeviceArray<float> memory{std::span<const float>(values_)};
    const TextureObject texture = TextureObject::linear(memory.data(), 1);
    EXPECT_EQ(fetched<float>(texture, {0, 1, 2, 3, 4}), (std::vector<float>{0.5F, 0, 0, 0, 0}));
}

TEST_F(CudaLinearTexture, SeesWhatIsWrittenBetweenLaunches) {
    DeviceArray<float> memory{std::span<const float>(values_)};
    const TextureObject texture = TextureObject::linear(memory.data(), size);
    EXPECT_EQ(fetched<float>(texture, {3}), std::vector<float>{3.5F});
    memory.upload(std::vector<float>{-1, -2, -3, -4});
    EXPECT_EQ(fetched<float>(texture, {3}), std::vector<float>{-4});
}

TEST_F(CudaLinearTexture, TexelsOfFourFloats) {
    const DeviceArray<float> memory{std::span<const float>(values_)};
    const TextureObject texture = TextureObject::linear(reinterpret_cast<float4*>(memory.data()), size / 4);
    const std::vector<float4> texels = fetched<float4>(texture, {0, 7, size / 4 - 1, size / 4, size});
    const auto expect_texel = [](const float4& texel, float x, float y, float z, float w) {
        EXPECT_EQ(texel.x, x);
        EXPECT_EQ(texel.y, y);
        EXPECT_EQ(texel.z, z);
        EXPECT_EQ(texel.w, w);
    };
    expect_texel(texels[0], 0.5F, 1.5F, 2.5F, 3.5F);
    expect_texel(texels[1], 28.5F, 29.5F, 30.5F, 31.5F);
    expect_texel(texels[2], 996.5F, 997.5F, 998.5F, 999.5F);
    expect_texel(texels[3], 0, 0, 0, 0);
    expect_texel(texels[4], 0, 0, 0, 0);
}

TEST_F(CudaLinearTexture, IntegersAsTheyAre) {
    const std::vector<int> values{0, -1, INT_MAX, INT_MIN, 123456789};
    const DeviceArray<int> memory{std::span(values)};
    const TextureObject texture = TextureObject::linear(memory.data(), values.size());
    EXPECT_EQ(fetched<int>(texture, {0, 1, 2, 3, 4, 5}),
              (std::vector{0, -1, INT_MAX, INT_MIN, 123456789, 0}));
}

/// Checks that the texture unit reads every value of an integer type as a fraction of the largest value.
template <class Integer>
void expect_fractions() {
    std::vector<Integer> values;
    for (int value = std::numeric_limits<Integer>::min(); value <= std::numeric_limits<Integer>::max();
         ++value)
        values.push_back(static_cast<Integer>(value));
    const DeviceArray<Integer> memory{std::span<const Integer>(values)};
    const TextureObject texture =
        TextureObject::linear(memory.data(), values.size(), cudaReadModeNormalizedFloat);
    const std::vector<float> fractions =
        fetched<float>(texture, first_indices(static_cast<int>(values.size())));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double fraction = static_cast<double>(values[i]) / std::numeric_limits<Integer>::max();
        ASSERT_NEAR(fractions[i], std::max(fraction, -1.0), 1e-7) << +values[i];
    }
}

TEST_F(CudaLinearTexture, BytesAsFractions) {
    expect_fractions<std::uint8_t>();
    expect_fractions<std::int8_t>();
}

TEST_F(CudaLinearTexture, WordsAsFractions) {
    expect_fractions<std::uint16_t>();
    expect_fractions<std::int16_t>();
}

TEST_F(CudaLinearTexture, LimitAgreesWithTheGuide) {
    // The programming guide: 2^27 texels from compute capability 2 on, 2^28 from 7.5 on.
    const std::size_t limit = TextureObject::linear_limit<float>(device().index);
    EXPECT_GE(limit, std::size_t{1} << 27U);
    EXPECT_GT(TextureObject::linear_limit<float4>(device().index), 0U);
    EXPECT_GT(TextureObject::linear_limit<std::uint8_t>(device().index), 0U);
}

__global__ void fetch_plane(float* to, cudaTextureObject_t texture, int first, int side) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    to[y * side + x] =
        tex2D<float>(texture, static_cast<float>(first + x) + 0.5F, static_cast<float>(first + y) + 0.5F);
}

/// Checks a texture of width × height texels: in range each texel itself, out of range the nearest one.
void expect_clamped_plane(const TextureObject& texture, int width, int height, float (*value)(int, int)) {
    constexpr int first = -8;
    constexpr int side = 32;
    const DeviceArray<float> to(side * side);
    const Stream stream;
    launch(fetch_plane, 1, dim3(side, side), stream, to.data(), texture.handle(), first, side);
    const std::vector<float> texels = to.download();
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            ASSERT_EQ(texels[y * side + x],
                      value(std::clamp(first + x, 0, width - 1), std::clamp(first + y, 0, height - 1)))
                << "at " << first + x << ", " << first + y << " of " << width << "x" << height;
}

float plane_value(int x, int y) { return static_cast<float>(100 * y + x + 1); }

class CudaPlaneTexture : public test::Gpu {};

TEST_F(CudaPlaneTexture, PitchedIsClampedAtItsEdges) {
    constexpr int pitch = 64;  // a multiple of 32 bytes
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 17}, {17, 1}, {5, 3}, {16, 16}, {13, 20}}) {
        std::vector<float> rows(static_cast<std::size_t>(pitch) * height, -99);  // -99: between the rows
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) rows[y * pitch + x] = plane_value(x, y);
        const DeviceArray<float> memory{std::span<const float>(rows)};
        const TextureObject texture =
            TextureObject::pitched(memory.data(), width, height, pitch * sizeof(float));
        expect_clamped_plane(texture, width, height, plane_value);
    }
}

TEST_F(CudaPlaneTexture, ArrayIsClampedAtItsEdges) {
    struct Free {
        void operator()(cudaArray_t array) const { cudaFreeArray(array); }
    };
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 17}, {17, 1}, {5, 3}, {16, 16}, {13, 20}}) {
        std::vector<float> values;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) values.push_back(plane_value(x, y));
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        cudaArray_t array = nullptr;
        CUDA_CHECK(cudaMallocArray(&array, &format, width, height));
        const std::unique_ptr<std::remove_pointer_t<cudaArray_t>, Free> owner(array);
        const std::size_t row_bytes = width * sizeof(float);
        CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row_bytes, row_bytes, height,
                                       cudaMemcpyHostToDevice));
        expect_clamped_plane(TextureObject::array(array), width, height, plane_value);
    }
}

TEST_F(CudaPlaneTexture, InvalidPitch) {
    const DeviceArray<float> memory(1000);
    const std::string error =
        error_text<CudaError>([&] { TextureObject::pitched(memory.data(), 64, 2, sizeof(float)); });
    EXPECT_NE(error.find("cudaCreateTextureObject"), std::string::npos) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

class CudaTextureObject : public test::Gpu {};

TEST_F(CudaTextureObject, Moves) {
    const DeviceArray<float> a{std::span<const float>(std::vector<float>{1, 2})};
    const DeviceArray<float> b{std::span<const float>(std::vector<float>{3, 4})};
    TextureObject first = TextureObject::linear(a.data(), 2);
    const cudaTextureObject_t handle = first.handle();
    TextureObject second = std::move(first);
    EXPECT_EQ(second.handle(), handle);
    EXPECT_EQ(first.handle(), 0U);
    EXPECT_EQ(fetched<float>(second, {0, 1}), (std::vector<float>{1, 2}));
    second = TextureObject::linear(b.data(), 2);
    EXPECT_EQ(fetched<float>(second, {0, 1}), (std::vector<float>{3, 4}));
}

TEST_F(CudaTextureObject, FreesItsHandle) {
    // More than can exist at a time (2^20).
    const DeviceArray<float> memory(2);
    for (int i = 0; i < 1100000; ++i) {
        const TextureObject texture = TextureObject::linear(memory.data(), 2);
        ASSERT_NE(texture.handle(), 0U);
    }
}

}  // namespace
}  // namespace cudabook
