// occupancy/picture/: every picture can be drawn, and has the colours that its text names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/picture/bitmap.hpp"
#include "occupancy/calculator/xe_lp.hpp"
#include "occupancy/picture/chart.hpp"
#include "occupancy/picture/curve_picture.hpp"
#include "occupancy/picture/sweep_picture.hpp"
#include "occupancy/picture/timeline_picture.hpp"

namespace cudabook::occupancy {
namespace {

std::ptrdiff_t pixels_of(const Bitmap& bitmap, Rgba colour) {
    return std::ranges::count(bitmap.pixels, colour);
}

AdditionPicture addition(int multiprocessors, std::vector<double> block_us, int blocks) {
    const Machine machine = alike(multiprocessors, block_us);
    const Timeline timeline = predict(machine, blocks);
    return {.title = "a", .predicted = timeline, .seen = timeline, .machine = machine, .units = "rows"};
}

TEST(OccupancyPicture, AColourForEachWave) {
    const Bitmap two = picture_of({addition(4, {10, 10}, 12)});
    EXPECT_EQ(two.width, 940);
    // The first wave is twice as large as the second; the rest of the colours is in curves and text.
    const auto first = pixels_of(two, colours[0]);
    const auto second = pixels_of(two, colours[1]);
    EXPECT_GT(first, second);
    EXPECT_GT(second, 2 * 4 * 24 * 390) << "half of the places, for half of the time, predicted and seen";
    EXPECT_EQ(pixels_of(two, colours[2]), 0);
    EXPECT_GT(pixels_of(picture_of({addition(4, {10, 10}, 24)}), colours[2]), 0);
}

TEST(OccupancyPicture, ManyMultiprocessorsAndNoTime) {
    EXPECT_EQ(picture_of({addition(1000, std::vector<double>(32, 10), 3), addition(1, {1}, 1)}).width, 1880);
    AdditionPicture still = addition(3, {1, 1}, 5);
    for (Span& block : still.seen) block.begin_us = block.end_us = 0;
    for (const bool comparable : {true, false}) {
        still.comparable = comparable;
        EXPECT_EQ(picture_of({still}).height, 880);
    }
}

TEST(OccupancyPicture, Curves) {
    const CalculatedGpu gpu = xe_lp();
    const KernelResources shape{.threads = 320, .lanes = 8};
    const Bitmap bitmap = picture_of(gpu, shape, *gpu.calculate(shape), curves(gpu, shape));
    EXPECT_GT(pixels_of(bitmap, colours[0]), 1000) << "the curves";
    EXPECT_GE(pixels_of(bitmap, colours[1]), 3 * 15 * 8) << "the kernel's place on each";
}

TEST(OccupancyPicture, ACurveForEachSweep) {
    Sweep sweep{.under_way = 1};
    for (const double ms : {80.0, 4.0, 2.0, 2.0}) {
        Point point{.percent = 25.0 * static_cast<double>(sweep.points.size() + 1)};
        point.time.median = ms;
        sweep.points.push_back(point);
    }
    const Bitmap bitmap = picture_of({SweepPicture{"a", {sweep, sweep}}, SweepPicture{"b", {sweep}}});
    EXPECT_EQ(bitmap.width, 2 * 960);
    EXPECT_GT(pixels_of(bitmap, colours[1]), 17 * 17) << "its bend";
    EXPECT_EQ(pixels_of(bitmap, colours[2]), 0);
}

TEST(OccupancyPicture, RoundSteps) {
    EXPECT_DOUBLE_EQ(round_step(100, 4), 20);
    EXPECT_DOUBLE_EQ(round_step(8, 4), 2);
    EXPECT_DOUBLE_EQ(round_step(0.04, 4), 0.01);
    EXPECT_DOUBLE_EQ(round_step(255, 4), 50);
}

}  // namespace
}  // namespace cudabook::occupancy
