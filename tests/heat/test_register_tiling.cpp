// heat_notexture/gpu/register_tiling.hpp, rounds.hpp and parts/halo_depth.hpp: the tiles cover every grid,
// and the choice of the steps is sensible.
#include "heat_notexture/gpu/register_tiling.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/halo_depth.hpp"

namespace cudabook::heat {
namespace {

constexpr std::pair<int, int> sizes[] = {{1, 1},       {31, 17},     {128, 120},     {1000, 115},
                                         {1024, 1024}, {1024, 121},  {1, 1'100'000}, {8192, 8192},
                                         {1 << 30, 1}, {1, 1 << 30}, {46340, 46341}};

/// Returns true if `tiles` tiles of `length` cells that overlap by two halos cover `cells` cells, and one
/// tile fewer would not.
bool cover(std::int64_t tiles, std::int64_t length, std::int64_t halo, std::int64_t cells) {
    const auto covered = [&](std::int64_t count) { return length + (count - 1) * (length - 2 * halo); };
    if (tiles == 1) return length >= cells;
    return length > 2 * halo && covered(tiles) >= cells && covered(tiles - 1) < cells;
}

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
                const int halo = register_halo(steps);
                const std::int64_t across = tiles_along(width, register_columns, halo);
                EXPECT_TRUE(cover(across, register_columns, halo, width));
                ASSERT_EQ(tiling.tiles % across, 0);
                EXPECT_TRUE(cover(tiling.tiles / across, rows, steps, height));
                EXPECT_LT(tiling.tiles, std::int64_t{1} << 31U) << "a launch has no more blocks";

                const auto prefetched = prefetched_tiling(width, height, steps, 14, multiprocessors);
                if (!prefetched) continue;
                const int prefetched_height = prefetched->rows * register_warps;
                EXPECT_LE(prefetched_height, height);
                ASSERT_EQ(prefetched->tiles % across, 0);
                EXPECT_TRUE(cover(prefetched->tiles / across, prefetched_height, steps, height));
            }
}

TEST(RegisterTiling, HalosAreWholeFoursOfColumnsAndWideEnough) {
    for (int steps = 1; steps <= register_steps; ++steps) {
        EXPECT_GE(register_halo(steps), steps);
        EXPECT_LT(register_halo(steps), steps + 4);
        EXPECT_EQ(register_halo(steps) % 4, 0);
    }
}

/// launch_of: the steps of a launch on a GPU with `multiprocessors` multiprocessors. depth_of: the depth of a
/// part's halos.
template <TimeOfLaunches time_of>
int launch_of(int width, int height, int steps, int multiprocessors) {
    return steps_at_once(time_of, register_steps, width, height, steps, {multiprocessors, true});
}
template <TimeOfLaunches time_of>
int depth_of(int width, int height, int steps, int multiprocessors) {
    Kernel kernel;
    kernel.most_steps = register_steps;
    kernel.time_of_launches = time_of;
    return halo_depth(kernel, width, height, steps, {multiprocessors, true});
}

TEST(RegisterTiling, LaunchesAndHalosAreOfOneStepToAllThatFit) {
    for (const auto choose : {launch_of<register_time>, launch_of<prefetched_time>, depth_of<register_time>,
                              depth_of<prefetched_time>})
        for (const auto& [width, height] : sizes)
            for (const int steps : {1, 2, 15, 16, 17, 90, 1000}) {
                const int chosen = choose(width, height, steps, 132);
                EXPECT_GE(chosen, 1);
                EXPECT_LE(chosen, register_steps);
                EXPECT_LE(chosen, steps);
            }
}

// As measured on two H100s and H200s, an exchange costs more than the steps of a small part, so there are few
// exchanges. A large part exchanges once a launch, with the number of steps that is best on one H200.
TEST(RegisterTiling, HalosAreDeepWhereExchangesAreDear) {
    EXPECT_EQ(depth_of<register_time>(1024, 512, 90, 132), 15);
    EXPECT_EQ(depth_of<register_time>(4096, 2048, 90, 132), 15);
    EXPECT_EQ(depth_of<register_time>(8192, 4096, 90, 132), 15);
    EXPECT_EQ(depth_of<register_time>(16384, 8192, 90, 132), 15);
    EXPECT_EQ(depth_of<register_time>(32768, 16384, 90, 132), 15);
}

TEST(RegisterTiling, LaunchesDoAllSteps) {
    for (const int together : {1, 3})
        for (int steps = 1; steps < 120; ++steps)
            for (int most = 1; most <= 24; ++most) {
                int done = 0;
                int parts = 0;
                for_each_launch(steps, most, together, [&](int share, bool last) {
                    ASSERT_GE(share, 1);
                    ASSERT_LE(share, most);
                    done += share;
                    EXPECT_EQ(last, done == steps);
                    if (!last && share % together != 0) ++parts;
                });
                EXPECT_EQ(done, steps);
                if (most % together == 0 && most > 5) {
                    EXPECT_EQ(parts, 0) << steps << " steps, at most " << most;
                }
            }
}

TEST(RegisterTiling, WithoutAModelLaunchesAndHalosAreOfTheMostSteps) {
    EXPECT_EQ(steps_at_once(nullptr, 6, 64, 64, 90, {132, true}), 6);
    Kernel kernel;
    kernel.most_steps = 30;
    EXPECT_EQ(halo_depth(kernel, 64, 64, 90, {132, true}), 30);
}

TEST(RegisterTiling, TheMostStepsAreLikeVeryMany) {
    constexpr int largest = std::numeric_limits<int>::max();
    for (const auto choose : {launch_of<register_time>, launch_of<prefetched_time>, depth_of<register_time>,
                              depth_of<prefetched_time>})
        EXPECT_EQ(choose(8192, 4096, largest, 132), choose(8192, 4096, largest / 2, 132));
}

TEST(RegisterTiling, TheBooksRoomIsOneTileForEachMultiprocessorOfAnH200) {
    EXPECT_EQ(launch_of<register_time>(1024, 1024, 90, 132), 15);
    EXPECT_EQ(register_tiling(1024, 1024, 15, 132).tiles, 132);
}

// As measured on an H200.
TEST(RegisterTiling, TilesArePrefetchedWhereThereAreManyForEachMultiprocessor) {
    EXPECT_FALSE(prefetched_tiling(1024, 1024, 15, 14, 132));
    EXPECT_FALSE(prefetched_tiling(8192, 8192, 15, 0, 132)) << "without asynchronous copies";
    EXPECT_EQ(prefetched_tiling(8192, 8192, 15, 13, 132)->rows, 12) << "for want of shared memory";
    EXPECT_EQ(prefetched_tiling(8192, 8192, 15, 14, 132)->rows, 14);
    EXPECT_EQ(prefetched_tiling(2048, 2048, 15, 14, 132)->rows, 12);
    EXPECT_TRUE(prefetched_tiling(8192, 1024 + 30, 15, 14, 132));
    EXPECT_FALSE(prefetched_tiling(8192, 1024 + 30, 15, 14, 132, full_gpu_us)) << "a part of an eighth";
    EXPECT_TRUE(prefetched_tiling(16384, 2048 + 30, 15, 14, 132, full_gpu_us));
    EXPECT_EQ(launch_of<prefetched_time>(1024, 1024, 90, 132), launch_of<register_time>(1024, 1024, 90, 132));
    EXPECT_EQ(launch_of<prefetched_time>(4096, 4096, 90, 132), 15);
}

}  // namespace
}  // namespace cudabook::heat
