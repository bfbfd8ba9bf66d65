// Kernel `streamed` with few blocks, so that a block does long stretches, and stretches of several bands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/cuda/device.cuh"
#include "heat/heat.hpp"
#include "heat_notexture/cpu/blocked_solver.hpp"
#include "heat_notexture/gpu/stream_time.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/scene.hpp"
#include "tests/heat/formula.hpp"
#include "tests/heat/source_tiles.hpp"
#include "tests/heat/streamed_steps.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook::heat {
namespace {

using test::streamed_steps;
using test::StreamedCase;
using test::Through;

class HeatStreamedTest : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        const void* const kernel = reinterpret_cast<const void*>(streamed_kernel<12, CopyRows>);
        if (!IsSkipped() && (capability_of_device() != 90 || capability_of_code(kernel) != 90))
            GTEST_SKIP() << "needs compute capability 9.0, and code for it (90a)";
    }
};

std::string name_of(const testing::TestParamInfo<Through>& through) {
    return through.param == Through::memory ? "Memory" : "Textures";
}

class HeatStreamedSmall : public HeatStreamedTest, public testing::WithParamInterface<Through> {};

TEST_P(HeatStreamedSmall, GivesTheBitsOfTheFormula) {
    for (const StreamedCase& c :
         {StreamedCase{384, 40, 1, 1}, StreamedCase{384, 50, 24, 2}, StreamedCase{640, 64, 4, 2},
          StreamedCase{700, 60, 11, 3}, StreamedCase{1284, 33, 22, 1}})
        for (const test::SourceShare sources : {test::SourceShare::none, test::SourceShare::some}) {
            SCOPED_TRACE(testing::Message() << c.width << "x" << c.height << ", " << c.steps << " steps");
            const Scene scene = test::random_scene(c.width, c.height, test::ordinary, sources, 40);
            const std::vector<float> expected = test::naive_steps(scene, 0.25F, c.steps);
            EXPECT_EQ(test::difference(streamed_steps<12>(scene, c, GetParam()), expected, c.width), "");
            if (c.width < 640) continue;
            EXPECT_EQ(test::difference(streamed_steps<20>(scene, c, GetParam()), expected, c.width), "");
        }
}

TEST_P(HeatStreamedSmall, KeepsTheSourcesInTheLastStepIfAsked) {
    for (const int steps : {9, 10, 11, 24}) {
        const StreamedCase c{640, 70, steps, 2};
        const Scene scene =
            test::random_scene(c.width, c.height, test::ordinary, test::SourceShare::some, 42);
        std::vector<float> expected = test::naive_steps(scene, 0.25F, c.steps);
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (scene.sources[i] != 0) expected[i] = scene.sources[i];
        EXPECT_EQ(test::difference(streamed_steps<12>(scene, c, GetParam(), true), expected, c.width), "");
        EXPECT_EQ(test::difference(streamed_steps<20>(scene, c, GetParam(), true), expected, c.width), "");
    }
}

/// Some blocks have sources, and some have none. The blocks begin about every 60 rows.
TEST_P(HeatStreamedSmall, BlocksWithSourcesAndBlocksWithoutGiveTheBitsOfTheFormula) {
    constexpr StreamedCase c{720, 120, 24, 4};
    for (const int row : {0, 36, 60, 85}) {
        SCOPED_TRACE(testing::Message() << "sources in row " << row);
        Scene scene = test::random_scene(c.width, c.height, test::ordinary, test::SourceShare::none, 43);
        scene.sources.assign(scene.cells(), 0);
        for (int x = 20; x < 90; x += 3) scene.sources[static_cast<std::size_t>(x + row * c.width)] = 0.5F;
        EXPECT_EQ(test::difference(streamed_steps<12>(scene, c, GetParam()),
                                   test::naive_steps(scene, 0.25F, c.steps), c.width),
                  "");
    }
}

/// Groups of rows with sources and groups without follow each other in each order. One block does both bands,
/// of which the first or the second has no sources.
TEST_P(HeatStreamedSmall, KeepsTheSourcesOfARowApartFromThoseOfTheNext) {
    constexpr StreamedCase c{720, 100, 20, 1};
    for (const bool in_second_band : {false, true}) {
        Scene scene = test::random_scene(c.width, c.height, test::ordinary, test::SourceShare::all, 41);
        for (int y = 0; y < c.height; ++y)
            for (int x = 0; x < c.width; ++x) {
                const bool in_rows = y % 31 < 2 || (y > 60 && y < 80);
                const bool in_band = in_second_band ? x >= 512 : x < 250;
                if (!in_rows || !in_band || (x + y) % 3 == 0)
                    scene.sources[static_cast<std::size_t>(x + y * c.width)] = 0;
            }
        EXPECT_EQ(test::difference(streamed_steps<12>(scene, c, GetParam()),
                                   test::naive_steps(scene, 0.25F, c.steps), c.width),
                  "");
    }
}

INSTANTIATE_TEST_SUITE_P(, HeatStreamedSmall, testing::Values(Through::memory, Through::textures), name_of);

/// The solver, which chooses a kernel for each launch.
class HeatStreamed : public HeatStreamedTest, public testing::WithParamInterface<Through> {
  protected:
    static std::unique_ptr<Solver> make(const Scene& scene, float speed = 0.25F) {
        const auto kernels =
            (GetParam() == Through::memory ? heat_notexture::gpu() : heat_texture::gpu()).kernels;
        const auto streamed = std::ranges::find(kernels, "streamed", &Kernel::name);
        return streamed->make(scene, {.speed = speed, .launch = Launch::graph});
    }
    /// Returns for each launch of a frame whether kernel `streamed` does it.
    static std::vector<bool> streamed_launches(const Scene& scene, int steps) {
        const GpuTraits gpu{device_attribute(cudaDevAttrMultiProcessorCount, 0), true};
        const bool memory = GetParam() == Through::memory;
        const OneLaunchTime others = memory ? prefetched_or_register_time : register_launch_time;
        SourceTiles tiles = test::tiles_of(scene);
        const int at_once = steps_at_once(
            memory ? streamed_time<prefetched_or_register_time> : streamed_time<register_launch_time>,
            stream_steps, scene.width, scene.height, steps, gpu, tiles.if_any());
        std::vector<bool> launches;
        for_each_launch(steps, at_once, steps_of_warp, [&](int share, bool) {
            const double than =
                unstreamed_time(others, scene.width, scene.height, share, share, gpu.multiprocessors);
            launches.push_back(
                stream_tiling(scene.width, scene.height, share, share, gpu, tiles.if_any(), than)
                    .has_value());
        });
        return launches;
    }
};

/// The first sources lie in tiles that had none, so the graph is captured again. The next sources lie in the
/// same tiles, so it is not.
TEST_P(HeatStreamed, TheSolverTakesOverSourcesPaintedInAnEmptyRoom) {
    constexpr int steps = 53;
    Scene scene = book_scene(384, 11600);
    scene.sources.assign(scene.cells(), 0);
    const std::vector<bool> all(3, true);
    ASSERT_EQ(streamed_launches(scene, steps), all);
    const Region region{100, 5000, 50, 40};
    Scene painted = scene;
    painted.sources[static_cast<std::size_t>(region.x + region.y * scene.width)] = 0.75F;
    ASSERT_EQ(streamed_launches(painted, steps), all);
    BlockedSolver expected(scene, {0.25F});
    const auto solver = make(scene);
    std::vector<float> sources(2000, 0.75F);
    for (int i = 0; i < 3; ++i) {
        for (Solver* s : {static_cast<Solver*>(&expected), solver.get()}) {
            s->advance(steps);
            s->set_sources(region, sources);
        }
        EXPECT_EQ(test::difference(solver->temperatures(), expected.temperatures(), scene.width), "")
            << "after " << i + 1 << " frames";
        for (std::size_t cell = 0; cell < sources.size(); cell += 3) sources[cell] = 0;
    }
}

TEST_P(HeatStreamed, TheSolverGivesTheBitsOfTheCpuWithTwoKernelsInAFrame) {
    constexpr int steps = 34;
    Scene scene = book_scene(384, GetParam() == Through::memory ? 10300 : 14000);
    // With the book's sources, through memory, no grid has launches of both kernels in one frame.
    if (GetParam() == Through::memory) scene.sources.assign(scene.cells(), 0);
    ASSERT_EQ(streamed_launches(scene, steps), (std::vector<bool>{true, false}));
    BlockedSolver expected(scene, {0.25F});
    const auto solver = make(scene);
    for (Solver* s : {static_cast<Solver*>(&expected), solver.get()}) s->advance(steps);
    EXPECT_EQ(test::difference(solver->temperatures(), expected.temperatures(), scene.width), "");
}

/// Temperatures may become infinite, for which the kernel is not made.
TEST_P(HeatStreamed, AnUnboundedRoomIsLeftToOthers) {
    const Scene scene = book_scene(384, 600);
    BlockedSolver expected(scene, {0.3F});
    const auto solver = make(scene, 0.3F);
    for (Solver* s : {static_cast<Solver*>(&expected), solver.get()}) s->advance(24);
    EXPECT_EQ(test::difference(solver->temperatures(), expected.temperatures(), scene.width), "");
}

INSTANTIATE_TEST_SUITE_P(, HeatStreamed, testing::Values(Through::memory, Through::textures), name_of);

}  // namespace
}  // namespace cudabook::heat
