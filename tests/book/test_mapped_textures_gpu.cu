// The handbook's tex1dfetch_big in the old style, where the GPU has too little memory.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/cuda/array.cuh"
#include "common/numbers/rand_stream.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/process.hpp"

namespace cudabook {
namespace {

class BookMappedTextures : public test::Gpu {};

/// Takes most of the GPU's memory, so that too little is left for the program.
TEST_F(BookMappedTextures, OfTooLittleMemory) {
    constexpr std::size_t mb = 1024;  // as much as a texture of two components spans
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const std::size_t left = mb << 20U;
    if (free_bytes <= left) GTEST_SKIP() << "too little memory is free";
    const DeviceArray<std::byte> taken(free_bytes - left);
    const test::Ending ending = test::run("legacy/tex1dfetch_big", {std::to_string(mb)});
    RandStream word;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < mb << 18U; ++i) sum += word();
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(ending.out, fmt::format("Device alloc of {0} Mb failed, trying mapped host memory\n"
                                      "Expected checksum: 0x{1:08x}\n"
                                      "    tex1 checksum: (not performed)\n"
                                      "    tex2 checksum: 0x{1:08x}\n"
                                      "    tex4 checksum: 0x{1:08x}\n",
                                      mb, sum));
}

}  // namespace
}  // namespace cudabook
