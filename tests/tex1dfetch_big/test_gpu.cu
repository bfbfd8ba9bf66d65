// The sample tex1dfetch_big on the GPU: the array, every kernel at every width, however it is split into
// textures.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/numbers/rand_stream.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/published.hpp"
#include "tex1dfetch_big/kernels/fill.cuh"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {
namespace {

const OnProgress silent = [](double) {};
const std::function<void()> no_fallback = [] { FAIL() << "the device's memory suffices"; };

class Tex1dfetchBig : public test::Gpu {
  protected:
    static std::unique_ptr<ArrayOfWords> make(std::size_t words, Memory memory = Memory::device) {
        return gpu().make(device(), words, memory, no_fallback);
    }

    /// Reads the array by every kernel that performs the split, at every width, in textures of at most 2^bits
    /// texels.
    static void expect_sums(std::size_t words, const std::vector<int>& index_bits,
                            Memory memory = Memory::device) {
        const std::uint32_t expected = expected_sum(words, silent);
        const auto data = make(words, memory);
        int read = 0;
        for (const Kernel& kernel : gpu().kernels)
            for (const int components : {1, 2, 4})
                for (const int bits : index_bits) {
                    const Split split{components, bits, words / static_cast<std::size_t>(components)};
                    if (!kernel.performs(split)) continue;
                    ++read;
                    EXPECT_EQ(data->read(kernel, split, silent).sum, expected)
                        << kernel.name << ", " << words << " words, " << components << " components, " << bits
                        << " bits";
                }
        EXPECT_GT(read, 0);
    }
};

class Tex1dfetchBigSmall : public Tex1dfetchBig {};

TEST_F(Tex1dfetchBigSmall, ArrayIsTheStream) {
    const Stream stream;
    for (const std::size_t size : {1, 30, 31, 32, 992, 993, 100'000}) {
        for (const unsigned blocks : {1U, 3U}) {
            const std::size_t threads = blocks * 32 * fill_warps;
            const std::size_t run = ((size - 1) / threads / RandStream::order + 1) * RandStream::order;
            const DeviceArray<std::uint32_t> words(size);
            launch(fill_kernel, blocks, 32 * fill_warps, stream, words.data(), size, run);
            stream.synchronize();
            RandStream expected;
            const auto found = words.download();
            for (std::size_t i = 0; i < size; ++i)
                ASSERT_EQ(found[i], expected())
                    << "word " << i << " of " << size << ", " << blocks << " blocks";
        }
    }
}

TEST_F(Tex1dfetchBigSmall, EveryKernelGivesTheSumWhateverTheSplit) {
    const std::vector<int> bits = test::emulated ? std::vector{4, 7, 27} : std::vector{4, 5, 6, 7, 8, 9, 27};
    for (const std::size_t words : {4, 12, 64, 4108}) expect_sums(words, bits);
    if (!test::emulated) expect_sums(10'004, bits);
    expect_sums(8204, {9, 10, 11, 12, 13});  // a little less than a tile, a tile, and more
}

TEST_F(Tex1dfetchBigSmall, MappedMemory) { expect_sums(10'004, {4, 9, 27}, Memory::mapped); }

TEST_F(Tex1dfetchBig, EveryRemainderOfATexture) {
    const std::vector<int> bits = test::emulated ? std::vector{4, 6} : std::vector{4, 5, 6, 7};
    for (std::size_t words = 4; words <= 400; words += test::emulated ? 100 : 4) expect_sums(words, bits);
}

TEST_F(Tex1dfetchBig, ThousandsOfTextures) {
    expect_sums(words_per_mb, {4, 5});
    expect_sums(3 * words_per_mb, {6, 10, 17, 18, 19, 27});
}

TEST_F(Tex1dfetchBig, TextureOfTheDevicesLimit) {
    const auto data = make(words_per_mb);
    for (const int components : {1, 2, 4}) {
        const std::size_t limit = components == 1 ? TextureObject::linear_limit<std::uint32_t>(device().index)
                                  : components == 2 ? TextureObject::linear_limit<uint2>(device().index)
                                                    : TextureObject::linear_limit<uint4>(device().index);
        const int bits = data->index_bits(components);
        EXPECT_GE(bits, 27) << "what all CUDA devices have";
        EXPECT_LE(std::size_t{1} << bits, limit) << components << " components";
    }
}

/// With its index of 27 bits, the book's program performs 512 MB at every width, 768 MB at two widths, and
/// 8192 MB only with four components.
TEST_F(Tex1dfetchBig, SumsOfTheBook) {
    for (const std::size_t mb : {512, 768, 1280, 8192}) {
        const std::string published = test::published_checksum("tex1dfetch_big", std::to_string(mb));
        const std::uint32_t sum = static_cast<std::uint32_t>(std::stoul(published, nullptr, 16));
        if (test::emulated && mb > 512) GTEST_SKIP() << "it takes gigabytes";
        const std::size_t words = mb * words_per_mb;
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
        if (free_bytes < words * sizeof(std::uint32_t) + (std::size_t{256} << 20U))
            GTEST_SKIP() << "the device has too little memory for " << mb << " MB";
        const auto data = make(words);
        EXPECT_EQ(data->read_by_peer().sum, sum) << mb << " MB by the peer";
        for (const Kernel& kernel : gpu().kernels)
            for (const int components : {1, 2, 4}) {
                const Split split{components, 27, words / static_cast<std::size_t>(components)};
                if (!kernel.performs(split)) continue;
                EXPECT_EQ(data->read(kernel, split, silent).sum, sum) << mb << " MB, " << kernel.name;
            }
    }
}

TEST_F(Tex1dfetchBig, PeerGivesTheSum) {
    const auto data = make(3 * words_per_mb);
    EXPECT_EQ(data->peer(), "cub");
    EXPECT_EQ(data->read_by_peer().sum, expected_sum(3 * words_per_mb, silent));
}

TEST_F(Tex1dfetchBig, PeerCountsBeyondAnInt) {
    if (test::emulated) GTEST_SKIP() << "it takes gigabytes";
    constexpr std::size_t words = 8192 * words_per_mb;  // 2^31
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (free_bytes < words * sizeof(std::uint32_t) + 16 * words_per_mb)
        GTEST_SKIP() << "this GPU has no 8 GB of free memory";
    EXPECT_EQ(make(words)->read_by_peer().sum, 0xf049c607U);
}

TEST_F(Tex1dfetchBig, SaysWhereTheWordsAre) {
    EXPECT_EQ(make(4)->memory(), "device");
    EXPECT_EQ(make(4, Memory::automatic)->memory(), "device");
    EXPECT_EQ(make(4, Memory::mapped)->memory(), "mapped");
}

TEST_F(Tex1dfetchBig, FallsBackToMappedMemory) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const DeviceArray<std::byte> taken(free_bytes - (std::size_t{128} << 20U));
    constexpr std::size_t words = 256 * words_per_mb;
    int fallbacks = 0;
    const auto data = gpu().make(device(), words, Memory::automatic, [&] { ++fallbacks; });
    EXPECT_EQ(fallbacks, 1);
    EXPECT_EQ(data->memory(), "mapped");
    for (const Kernel& kernel : gpu().kernels)
        EXPECT_EQ(data->read(kernel, {4, 27, words / 4}, silent).sum, expected_sum(words, silent))
            << kernel.name;
}

TEST_F(Tex1dfetchBig, MoreThanAnyMemoryHolds) {
    constexpr std::size_t words = std::size_t{1} << 50U;
    int fallbacks = 0;
    const auto count = [&] { ++fallbacks; };
    EXPECT_THROW(gpu().make(device(), words, Memory::device, count), OutOfMemory);
    EXPECT_THROW(gpu().make(device(), words, Memory::mapped, count), OutOfMemory);
    EXPECT_EQ(fallbacks, 0);
    EXPECT_THROW(gpu().make(device(), words, Memory::automatic, count), OutOfMemory);
    EXPECT_EQ(fallbacks, 1);
}

TEST_F(Tex1dfetchBig, MoreTexturesThanTheDeviceHolds) {
    constexpr std::size_t words = 128 * words_per_mb;
    const auto data = make(words);
    const std::string text = test::error_text<MachineError>([&] {
        data->read(gpu().kernels.back(), {1, 4, words}, silent);
    });
    EXPECT_EQ(text.find("--index-bits 4: 2097152 textures are needed, and the device holds "), 0U) << text;
}

TEST_F(Tex1dfetchBig, SaysHowMuchOfAMultiprocessorItTakes) {
    const auto data = make(words_per_mb);
    for (const Kernel& kernel : gpu().kernels) {
        const Reading reading = data->read(kernel, {4, 27, words_per_mb / 4}, silent);
        ASSERT_TRUE(reading.occupancy.has_value());
        EXPECT_GT(reading.occupancy->percent, 0);
        EXPECT_LE(reading.occupancy->percent, 100);
        EXPECT_GT(reading.occupancy->registers, 0);
        EXPECT_GT(reading.ms, 0);
    }
}

}  // namespace
}  // namespace cudabook::tex1dfetch_big
