// occupancy/timeline/: the prediction of launches that can be calculated by hand, and the figures of
// timelines.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "occupancy/timeline/scheduler.hpp"
#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {
namespace {

/// The steps as "at:blocks at:blocks ...".
std::string text_of(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps)
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<int>(step.at_us + 0.5)) + ":" +
                std::to_string(step.resident);
    return text;
}

std::string predicted(const Machine& machine, int blocks) {
    return text_of(resident(predict(machine, blocks)));
}

TEST(OccupancyScheduler, FewerBlocksThanTheGpuHolds) {
    EXPECT_EQ(predicted(alike(4, {10, 10}), 3), "0:3 10:0");
    EXPECT_EQ(predicted(alike(4, {10, 10}), 8), "0:8 10:0");
    EXPECT_EQ(predicted(alike(1, {7}), 1), "0:1 7:0");
    EXPECT_TRUE(predict(alike(4, {10}), 0).empty());
}

TEST(OccupancyScheduler, BlocksAreSpreadOverMultiprocessors) {
    const Timeline timeline = predict(alike(3, {10, 10}), 5);
    for (int block = 0; block < 5; ++block)
        EXPECT_EQ(timeline[static_cast<std::size_t>(block)].multiprocessor, block % 3);
}

TEST(OccupancyScheduler, WavesAndATail) {
    // Two waves of 8 blocks, then 3.
    EXPECT_EQ(predicted(alike(4, {10, 10}), 19), "0:8 20:3 30:0");
    // Like the chapter's 48 groups, of which 42 run at a time: in the tail, 14.3 % of the GPU is busy.
    EXPECT_EQ(predicted(alike(6, {10, 10, 10, 10, 10, 10, 10}), 48), "0:42 10:6 20:0");
}

TEST(OccupancyScheduler, BlocksThatShareAMultiprocessorAreSlower) {
    // Two blocks on one multiprocessor take 16 each. The third block is then alone, and takes 10.
    EXPECT_EQ(predicted(alike(1, {10, 16}), 3), "0:2 16:1 26:0");
    // Three blocks on two multiprocessors: the block that is alone ends after 10, the other two after 16.
    EXPECT_EQ(predicted(alike(2, {10, 16}), 3), "0:3 10:2 16:0");
    // Five blocks on two multiprocessors that hold two each: four blocks take 16, then the fifth is alone.
    EXPECT_EQ(predicted(alike(2, {10, 16}), 5), "0:4 16:1 26:0");
}

TEST(OccupancyScheduler, AFastMultiprocessorTakesTheNextBlocks) {
    // A block takes 10 on the first multiprocessor and 13 on the second. The first begins its second block at
    // 10 and ends it at 20.
    EXPECT_EQ(predicted({{{10}, {13}}}, 4), "0:2 20:1 26:0");
    EXPECT_EQ(predicted({{{10}, {13}}}, 3), "0:2 13:1 20:0");
}

TEST(OccupancyScheduler, MultiprocessorsThatEndTogetherShareTheRest) {
    // The multiprocessors end their two blocks at 100 and 101, which is near enough: each gets one of the
    // last two.
    EXPECT_EQ(predicted({{{90, 100}, {91, 101}}}, 6), "0:4 100:3 101:2 190:1 192:0");
    // 100 and 110 are not near enough: the first multiprocessor gets both blocks.
    EXPECT_EQ(predicted({{{90, 100}, {91, 110}}}, 6), "0:4 110:2 200:0");
}

TEST(OccupancyScheduler, EveryPredictionIsPossible) {
    for (const int blocks : {1, 5, 97, 1000}) {
        const Machine machine = alike(7, {10, 11, 13, 20});
        EXPECT_EQ(why_impossible(warps_of(predict(machine, blocks), 3), {blocks, 3, 7, 12}), "") << blocks;
    }
}

TEST(OccupancyTimeline, Resident) {
    EXPECT_EQ(text_of(resident({{0, 0, 10}, {1, 0, 20}, {0, 10, 30}})), "0:2 20:1 30:0");
    EXPECT_TRUE(resident({}).empty());
}

TEST(OccupancyTimeline, Error) {
    const Timeline seen{{0, 0, 10}, {1, 0, 10}};
    EXPECT_DOUBLE_EQ(error_percent(seen, seen), 0);
    EXPECT_DOUBLE_EQ(error_percent({{0, 0, 10}}, seen), 50);              // one is missing
    EXPECT_DOUBLE_EQ(error_percent({{0, 0, 11}, {1, 0, 11}}, seen), 10);  // both are too long
    EXPECT_DOUBLE_EQ(error_percent({{5, 0, 10}, {9, 0, 10}}, seen), 0);   // on other multiprocessors
    EXPECT_DOUBLE_EQ(error_percent({}, seen), 100);
}

TEST(OccupancyTimeline, BlocksAndWarps) {
    const Timeline blocks = blocks_of({{0, 1, 10}, {0, 0, 9}, {1, 3, 4}, {1, 3, 5}}, 2);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].begin_us, 0);
    EXPECT_EQ(blocks[0].end_us, 10);
    EXPECT_EQ(blocks[1].multiprocessor, 1);
    EXPECT_EQ(blocks[1].end_us, 5);
    EXPECT_EQ(text_of(resident(warps_of(blocks, 3))), "0:3 3:6 5:3 10:0");
}

TEST(OccupancyTimeline, WhatIsImpossible) {
    // Blocks of two warps. On multiprocessor 0, the second block begins when one warp of the first has ended,
    // so three warps fit.
    const Timeline good{{0, 0, 10}, {0, 0, 12}, {0, 10, 20}, {0, 10, 20}, {1, 0, 9}, {1, 0, 9}};
    EXPECT_EQ(why_impossible(good, {3, 2, 2, 3}), "");
    EXPECT_NE(why_impossible(good, {3, 2, 2, 2}).find("multiprocessor 0 had 3 warps"), std::string::npos);
    EXPECT_NE(why_impossible(good, {4, 2, 2, 3}).find("6 of 8"), std::string::npos);
    EXPECT_NE(why_impossible(good, {3, 2, 1, 3}).find("multiprocessor 1 of 1"), std::string::npos);
    EXPECT_NE(why_impossible(good, {2, 3, 2, 3}).find("block 1 has run on more"), std::string::npos);
    EXPECT_NE(why_impossible({{0, 5, -1}}, {1, 1, 1, 1}).find("block 0"), std::string::npos);
}

TEST(OccupancyTimeline, Waves) {
    EXPECT_EQ(waves(19, 8).full, 2);
    EXPECT_EQ(waves(19, 8).tail, 3);
    EXPECT_EQ(waves(7, 8).full, 0);
    EXPECT_EQ(waves(7, 8).tail, 7);
}

}  // namespace
}  // namespace cudabook::occupancy
