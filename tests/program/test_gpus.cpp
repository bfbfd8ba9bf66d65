// common/program/gpus.hpp: the published figures fit together.
#include "common/program/gpus.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cudabook {
namespace {

TEST(EmulatedGpus, AreFoundByName) {
    for (const EmulatedGpu& gpu : emulated_gpus()) EXPECT_EQ(find_emulated_gpu(gpu.name), &gpu) << gpu.name;
    for (const char* name : {"", "T4", "t4 ", "gtx1080", "h20"}) EXPECT_EQ(find_emulated_gpu(name), nullptr);
    EXPECT_EQ(emulated_gpu_names(), "t4, rtx3060, rtx4090, a100, h100, h200, b200");
}

TEST(EmulatedGpus, NoFigureIsMissing) {
    std::set<std::string_view> products;
    for (const EmulatedGpu& gpu : emulated_gpus()) {
        EXPECT_TRUE(products.insert(gpu.product).second) << gpu.product;
        for (const int figure : {gpu.major, gpu.multiprocessors, gpu.shared_bytes_per_block_optin,
                                 gpu.shared_bytes_per_multiprocessor, gpu.threads_per_multiprocessor,
                                 gpu.blocks_per_multiprocessor, gpu.l2_bytes, gpu.clock_khz,
                                 gpu.memory_clock_khz, gpu.memory_bus_bits})
            EXPECT_GT(figure, 0) << gpu.name;
        EXPECT_GT(gpu.memory_bytes, std::uint64_t{1} << 33U) << gpu.name;
    }
}

TEST(EmulatedGpus, SharedMemoryOfABlockAndWhatIsReservedFitAMultiprocessor) {
    for (const EmulatedGpu& gpu : emulated_gpus()) {
        EXPECT_EQ(gpu.shared_bytes_per_block_optin + gpu.shared_bytes_reserved_per_block,
                  gpu.shared_bytes_per_multiprocessor)
            << gpu.name;
        EXPECT_LT(gpu.shared_bytes_per_block, gpu.shared_bytes_per_block_optin) << gpu.name;
    }
}

/// The properties that an H200 reported (in results/, and by cudaGetDeviceProperties).
TEST(EmulatedGpus, H200) {
    const EmulatedGpu& gpu = *find_emulated_gpu("h200");
    EXPECT_EQ(gpu.product, "NVIDIA H200");
    EXPECT_EQ(gpu.major * 10 + gpu.minor, 90);
    EXPECT_EQ(gpu.multiprocessors, 132);
    EXPECT_EQ(gpu.shared_bytes_per_block_optin, 232448);
    EXPECT_EQ(gpu.textures.linear_1d, 268435456);
    EXPECT_EQ(gpu.textures.linear_2d_pitch_bytes, 2097120);
}

TEST(EmulatedGpus, T4) {
    const EmulatedGpu& gpu = *find_emulated_gpu("t4");
    EXPECT_EQ(gpu.product, "Tesla T4");
    EXPECT_EQ(gpu.major * 10 + gpu.minor, 75);
    EXPECT_EQ(gpu.shared_bytes_per_block_optin, 65536);
    EXPECT_EQ(gpu.shared_bytes_reserved_per_block, 0);
    EXPECT_EQ(gpu.threads_per_multiprocessor, 1024);
}

}  // namespace
}  // namespace cudabook
