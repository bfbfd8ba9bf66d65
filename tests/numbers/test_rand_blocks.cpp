// common/numbers/rand_blocks.hpp: the outputs of RandStream, from any position.
#include "common/numbers/rand_blocks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace cudabook {
namespace {

class RandBlocksAt : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Position, RandBlocksAt,
                         testing::Values(0, 1, 30, 31, 123, 124, 125, 310, 4095, 4096, 1000000,
                                         std::uint64_t{1} << 31U, std::uint64_t{1} << 35U),
                         testing::PrintToStringParamName());

TEST_P(RandBlocksAt, AreTheStream) {
    RandStream stream(GetParam());
    const auto blocks = std::make_unique<RandBlocks>(GetParam());
    for (int block = 0; block < 3; ++block) {
        const auto outputs = blocks->next();
        ASSERT_EQ(outputs.size(), RandBlocks::size);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            ASSERT_EQ(outputs[i], stream()) << "output " << i << " of block " << block;
    }
}

}  // namespace
}  // namespace cudabook
