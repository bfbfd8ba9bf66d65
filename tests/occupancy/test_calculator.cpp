// occupancy/calculator/: the figures of the oneAPI chapter, which this file repeats, and kernels on NVIDIA
// GPUs whose occupancy follows from the programming guide's table of compute capabilities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "occupancy/calculator/chapter.hpp"
#include "occupancy/calculator/xe_lp.hpp"
#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {
namespace {

std::string text_of(const Held& held) {
    return fmt::format("{} blocks {} warps {:.1f} {}", held.blocks, held.warps, held.percent(), held.limit);
}

// ----- Xe-LP

std::string on_xe_lp(int group, int sub_group, std::size_t shared_bytes = 0) {
    return text_of(*xe_lp().calculate({.threads = group, .shared_bytes = shared_bytes, .lanes = sub_group}));
}

TEST(OccupancyXeLp, GroupsWithABarrier) {
    EXPECT_EQ(on_xe_lp(128, 8), "7 blocks 112 warps 100.0 threads");
    EXPECT_EQ(on_xe_lp(256, 8), "3 blocks 96 warps 85.7 threads");
    EXPECT_EQ(on_xe_lp(384, 8), "2 blocks 96 warps 85.7 threads");
    EXPECT_EQ(on_xe_lp(512, 8), "1 blocks 64 warps 57.1 threads");
    EXPECT_EQ(on_xe_lp(640, 8), "0 blocks 0 warps 0.0 threads");
    EXPECT_EQ(on_xe_lp(512, 32), "7 blocks 112 warps 100.0 threads");
    EXPECT_EQ(on_xe_lp(513, 32), "0 blocks 0 warps 0.0 threads");
    EXPECT_EQ(on_xe_lp(1, 32), "112 blocks 112 warps 100.0 threads");
}

TEST(OccupancyXeLp, LocalMemory) {
    EXPECT_EQ(on_xe_lp(128, 8, 128 << 10), "1 blocks 16 warps 14.3 shared memory");
    EXPECT_EQ(on_xe_lp(128, 8, 32 << 10), "4 blocks 64 warps 57.1 shared memory");
    EXPECT_EQ(on_xe_lp(128, 8, (128 << 10) / 7), "7 blocks 112 warps 100.0 threads, shared memory");
    EXPECT_EQ(on_xe_lp(128, 8, (128 << 10) + 1), "0 blocks 0 warps 0.0 shared memory");
}

std::vector<int> lasting(const std::vector<Phase>& phases) {
    std::vector<int> threads;
    for (const Phase& phase : phases)
        if (phase.lasts()) threads.push_back(phase.threads);
    return threads;
}

TEST(OccupancyXeLp, PhasesWithoutABarrier) {
    EXPECT_EQ(lasting(xe_lp_phases(8, 40, false)), (std::vector{224, 96}));
    // 24 groups of 28 threads (224 work-items) fill all six cores at the same time.
    EXPECT_EQ(lasting(xe_lp_phases(24, 28, false)), (std::vector{672}));
    EXPECT_EQ(lasting(xe_lp_phases(1, 40, false)), (std::vector{40}));
}

TEST(OccupancyXeLp, PhasesWithABarrier) {
    const std::vector<Phase> phases = xe_lp_phases(8, 40, true);
    EXPECT_EQ(lasting(phases), (std::vector{304, 80}));
    ASSERT_GT(phases.size(), 1U);
    EXPECT_EQ(phases[1].threads, 264) << "what is left when the first group has ended";
    EXPECT_EQ(lasting(xe_lp_phases(24, 28, true)), (std::vector{672}));
}

TEST(OccupancyXeLp, EveryThreadRunsOnce) {
    for (const bool barrier : {false, true})
        for (const int groups : {1, 8, 48, 100})
            for (const int threads : {1, 16, 40, 64}) {
                double work = 0;
                for (const Phase& phase : xe_lp_phases(groups, threads, barrier)) {
                    work += (phase.end - phase.begin) * phase.threads;
                    EXPECT_LE(phase.threads, 672);
                }
                // Threads that wait at the barrier are resident for longer than they work.
                if (barrier) {
                    EXPECT_GE(work, groups * threads) << groups << " of " << threads;
                } else {
                    EXPECT_DOUBLE_EQ(work, groups * threads) << groups << " of " << threads;
                }
            }
}

TEST(OccupancyChapter, EveryTableComesOut) {
    const ChapterTables tables = chapter_tables();
    EXPECT_TRUE(tables.ok) << tables.text;
    std::vector<std::string> slips;
    for (const Figures& row : tables.rows) {
        EXPECT_EQ(row.find("ok")->value, Figure::Value(true));
        if (row.find("note")->value == Figure::Value(std::string("a slip of the pen")))
            slips.push_back(std::get<std::string>(row.find("printed")->value) + " for " +
                            std::get<std::string>(row.find("calculated")->value));
    }
    EXPECT_EQ(slips, (std::vector<std::string>{"128x4 for 128x3", "51 for 512", "47.7% for 47.6%",
                                               "100% then 4.7% for 100% then 4.8%",
                                               "304 threads, 45.3% for 304 threads, 45.2%"}));
}

// ----- NVIDIA's GPUs

std::optional<CalculatedGpu> nvidia(const std::string& name) {
    const GpuBackend backend = if_there_is_a_gpu([] { return gpu(); });
    if (!backend.calculator) return std::nullopt;
    const GpuModel model = *published_gpu(name);
    return CalculatedGpu{.name = name,
                         .product = model.product,
                         .multiprocessors = model.multiprocessors,
                         .most_shared_bytes = model.shared_bytes_per_block_optin,
                         .calculate = backend.calculator(model)};
}

class OccupancyNvidia : public testing::Test {
  protected:
    void SetUp() override {
        if (!nvidia("t4")) GTEST_SKIP() << "this build has no calculator";
    }
    static std::string of(const char* gpu, int threads, int registers, std::size_t shared_bytes = 0) {
        return text_of(*nvidia(gpu)->calculate(
            {.threads = threads, .registers = registers, .shared_bytes = shared_bytes}));
    }
};

TEST_F(OccupancyNvidia, Threads) {
    EXPECT_EQ(of("t4", 256, 32), "4 blocks 32 warps 100.0 threads");
    EXPECT_EQ(of("rtx3060", 256, 32), "6 blocks 48 warps 100.0 threads");
    EXPECT_EQ(of("rtx4090", 1024, 32), "1 blocks 32 warps 66.7 threads");
    EXPECT_EQ(of("h200", 320, 32), "6 blocks 60 warps 93.8 threads, registers");
    EXPECT_EQ(of("h200", 33, 16), "32 blocks 64 warps 100.0 threads, blocks");
}

TEST_F(OccupancyNvidia, Registers) {
    // 12 warps of 135 registers a thread, rounded to 136: 3 in each quarter, as the fastest kernel of heat.
    EXPECT_EQ(of("h200", 384, 135), "1 blocks 12 warps 18.8 registers");
    EXPECT_EQ(of("a100", 256, 64), "4 blocks 32 warps 50.0 registers");
    EXPECT_EQ(of("t4", 1024, 65), "0 blocks 0 warps 0.0 registers");
    EXPECT_EQ(of("h200", 32, 255), "8 blocks 8 warps 12.5 registers");
}

TEST_F(OccupancyNvidia, SharedMemoryAndBlocks) {
    EXPECT_EQ(of("h200", 64, 16, 227 << 10), "1 blocks 2 warps 3.1 shared memory");
    EXPECT_EQ(of("h200", 64, 16, 113 << 10), "2 blocks 4 warps 6.2 shared memory");
    EXPECT_EQ(of("t4", 128, 16, 32 << 10), "2 blocks 8 warps 25.0 shared memory");
    EXPECT_EQ(of("t4", 32, 16), "16 blocks 16 warps 50.0 blocks");
    EXPECT_EQ(of("rtx4090", 32, 16), "24 blocks 24 warps 50.0 blocks");
    EXPECT_EQ(of("a100", 32, 16), "32 blocks 32 warps 50.0 blocks");
}

TEST_F(OccupancyNvidia, CurvesGoThroughTheAnswer) {
    const CalculatedGpu gpu = *nvidia("h200");
    const KernelResources shape{.threads = 320, .registers = 40, .shared_bytes = 20 << 10};
    const double percent = gpu.calculate(shape)->percent();
    const std::vector<Curve> all = curves(gpu, shape);
    ASSERT_EQ(all.size(), 3U);
    for (const Curve& curve : all) {
        const auto here = std::ranges::find(curve.points, curve.now, &CurvePoint::at);
        ASSERT_NE(here, curve.points.end()) << curve.over;
        EXPECT_DOUBLE_EQ(here->percent, percent) << curve.over;
    }
    EXPECT_EQ(all[0].points.back().at, 1024U);
    EXPECT_EQ(all[1].points.back().at, 255U);
    EXPECT_EQ(all[2].points.back().at, 227U << 10U);
    for (const std::size_t curve : {1U, 2U})  // more registers or shared memory: never more blocks
        EXPECT_TRUE(std::ranges::is_sorted(all[curve].points, std::greater<>(), &CurvePoint::percent));
}

}  // namespace
}  // namespace cudabook::occupancy
