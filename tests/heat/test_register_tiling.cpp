// common/heat/gpu/register_tiling.hpp: the tiles cover every grid, and the choice of the steps is sensible.
#include "common/heat/gpu/register_tiling.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cudabook::heat {
namespace {

constexpr std::pair<int, int> sizes[] = {{1, 1},       {31, 17},     {128, 120},     {1000, 115},
                                         {1024, 1024}, {1024, 121},  {1, 1'100'000}, {8192, 8192},
                                         {1 << 30, 1}, {1, 1 << 30}, {46340, 46341}};

TEST(RegisterTiling, TilesCoverTheGrid) {
    for (const auto& [width, height] : sizes)
        for (int steps = 1; steps <= register_steps; ++steps)
            for (const int multiprocessors : {1, 20, 132}) {
                SCOPED_TRACE(testing::Message() << width << "x" << height << ", " << steps << " steps, "
                                                << multiprocessors << " multiprocessors");
                const RegisterTiling tiling = register_tiling(width, height, steps, multiprocessors);
                ASSERT_GE(tiling.warps, 1);
                ASSERT_LE(tiling.warps, register_warps);
                const int rows = tiling.warps * register_rows;
                const std::int64_t written_columns = register_columns - 2 * register_halo(steps);
                const std::int64_t written_rows = height <= rows ? height : rows - 2 * steps;
                ASSERT_GT(written_rows, 0);
                const std::int64_t across = (width + written_columns - 1) / written_columns;
                EXPECT_EQ(tiling.tiles % across, 0);
                EXPECT_GE(tiling.tiles / across * written_rows, height);
                EXPECT_LT((tiling.tiles / across - 1) * written_rows, height);
                EXPECT_LT(tiling.tiles, std::int64_t{1} << 31U) << "a launch has no more blocks";
            }
}

TEST(RegisterTiling, HalosAreWholeFoursOfColumnsAndWideEnough) {
    for (int steps = 1; steps <= register_steps; ++steps) {
        EXPECT_GE(register_halo(steps), steps);
        EXPECT_LT(register_halo(steps), steps + 4);
        EXPECT_EQ(register_halo(steps) % 4, 0);
    }
}

TEST(RegisterTiling, LaunchesAndHalosAreOfOneStepToAllThatFit) {
    for (const auto choose : {register_steps_at_once, register_halo_depth})
        for (const auto& [width, height] : sizes)
            for (const int steps : {1, 2, 15, 16, 17, 90, 1000}) {
                const int chosen = choose(width, height, steps, 132);
                EXPECT_GE(chosen, 1);
                EXPECT_LE(chosen, register_steps);
                EXPECT_LE(chosen, steps);
            }
}

// As measured on two H100s and H200s: an exchange costs more than a small part's steps do, so that there are
// few of them; a large part does as many steps between two of them as in a launch.
TEST(RegisterTiling, HalosAreDeepWhereExchangesAreDear) {
    EXPECT_EQ(register_halo_depth(1024, 512, 90, 132), 15);
    EXPECT_EQ(register_halo_depth(4096, 2048, 90, 132), 15);
    EXPECT_EQ(register_halo_depth(8192, 4096, 90, 132), 15);
    EXPECT_EQ(register_halo_depth(16384, 8192, 90, 132), 12);
    EXPECT_EQ(register_halo_depth(32768, 16384, 90, 132), 12);
}

TEST(RegisterTiling, TheBooksRoomIsOneTileForEachMultiprocessorOfAnH200) {
    EXPECT_EQ(register_steps_at_once(1024, 1024, 90, 132), 15);
    EXPECT_EQ(register_tiling(1024, 1024, 15, 132).tiles, 132);
}

}  // namespace
}  // namespace cudabook::heat
