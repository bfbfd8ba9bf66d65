// The CPU's kernels: `ReferenceSolver` is the formula, and `BlockedSolver` gives the same bits whatever the
// grid, the steps, the speed, the threads and the SIMD level.
#include "heat_notexture/cpu/cpu_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "common/numbers/crc32.hpp"
#include "heat_notexture/cpu/blocked_solver.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "tests/heat/formula.hpp"
#include "tests/support/published.hpp"
#include "tests/support/sanitized.hpp"

namespace cudabook::heat {
namespace {

using test::difference, test::random_scene, test::sanitized, test::SourceShare, test::Temperatures;

constexpr Temperatures scalable[] = {test::ordinary, test::subnormal, test::around_least_normal,
                                     test::of_all_sizes, test::sparse};
constexpr Temperatures not_scalable[] = {test::negative, test::subnormal_of_both_signs, test::negative_zeros,
                                         test::huge, test::any_bits};
constexpr SourceShare source_shares[] = {SourceShare::none, SourceShare::some, SourceShare::all};

/// Stable speeds, with and without scaling, then speeds that end in inf and NaN.
constexpr float speeds[] = {0.25F, 0.1F, 0, 0.24F, 0x1p-6F, 0x1.fffffep-7F, 1e-7F, -0.0F, 0.6F, 3, -0.1F};

struct Size {
    int width;
    int height;
};

std::string name_of(const Size& size) {
    return std::to_string(size.width) + "x" + std::to_string(size.height);
}

/// The reference's temperatures after each number of steps. `steps` must ascend.
std::vector<std::vector<float>> reference_after(const std::vector<int>& steps, const Scene& scene,
                                                float speed) {
    ReferenceSolver reference(scene, {speed});
    std::vector<std::vector<float>> grids;
    int done = 0;
    for (const int count : steps) {
        reference.advance(count - done);
        done = count;
        grids.push_back(reference.temperatures());
    }
    return grids;
}

/// Compares a new `BlockedSolver` for each number of steps with the reference. Only tests about threads use
/// more than one thread: on a busy machine, threads wait for each other a hundred times as long as they work
/// on a small grid.
void expect_blocked(const Scene& scene, float speed, const std::vector<int>& steps,
                    const std::vector<int>& threads, std::span<const RowKernels> levels = row_kernels()) {
    const auto expected = reference_after(steps, scene, speed);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const RowKernels& level : levels) {
            for (const int count : threads) {
                for (const bool scale_small : {true, false}) {
                    BlockedSolver blocked(scene, {speed},
                                          {.threads = count, .rows = &level, .scale_small = scale_small});
                    blocked.advance(steps[i]);
                    ASSERT_EQ(difference(blocked.temperatures(), expected[i], scene.width), "")
                        << scene.width << "x" << scene.height << ", speed " << speed << ", " << steps[i]
                        << " steps, " << count << " threads, " << level.simd
                        << (scale_small ? ", scaled" : "");
                }
            }
        }
    }
}

// ----- the reference

TEST(CpuReference, IsTheFormula) {
    for (const auto& [width, height] : {Size{1, 1}, Size{17, 1}, Size{1, 17}, Size{2, 2}, Size{24, 13}}) {
        for (const SourceShare share : source_shares) {
            for (const float speed : speeds) {
                for (const Temperatures& temperatures : {test::ordinary, test::subnormal, test::any_bits}) {
                    const Scene scene = random_scene(width, height, temperatures, share, 1);
                    for (const int steps : {0, 1, 2, 7, 30}) {
                        ReferenceSolver reference(scene, {speed});
                        reference.advance(steps);
                        ASSERT_EQ(difference(reference.temperatures(), test::naive_steps(scene, speed, steps),
                                             width),
                                  "")
                            << width << "x" << height << ", speed " << speed << ", " << steps << " steps, "
                            << temperatures.name;
                    }
                }
            }
        }
    }
}

/// The book's listing without textures adds left + right + top + bottom; the listing with textures adds in
/// the order of the formula, which the suite uses for both. heat_notexture/README.md describes the effect of
/// the difference.
TEST(CpuReference, HasTheOrderOfTheBooksTextureListing) {
    const auto checksum_after_a_frame = [](const auto& sum_of) {
        constexpr int side = 1024;
        Scene scene = book_scene(side, side);
        std::vector<float> next(scene.cells());
        const auto index = [](int x, int y) {
            return static_cast<std::size_t>(std::clamp(x, 0, side - 1) + std::clamp(y, 0, side - 1) * side);
        };
        for (int step = 0; step < 90; ++step) {
            for (std::size_t i = 0; i < scene.cells(); ++i)
                if (scene.sources[i] != 0) scene.start[i] = scene.sources[i];
            const float* cells = scene.start.data();
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x) {
                    const float sum = sum_of(cells[index(x - 1, y)], cells[index(x + 1, y)],
                                             cells[index(x, y - 1)], cells[index(x, y + 1)]);
                    const float old = cells[index(x, y)];
                    next[index(x, y)] = std::fma(0.25F, std::fma(-4.0F, old, sum), old);
                }
            std::swap(scene.start, next);
        }
        return hex(checksum(scene.start));
    };
    EXPECT_EQ(checksum_after_a_frame([](float left, float right, float top, float bottom) {
                  return left + right + top + bottom;
              }),
              "98a4357a");
    EXPECT_EQ(checksum_after_a_frame([](float left, float right, float top, float bottom) {
                  return top + bottom + left + right;
              }),
              test::published_checksum("heat", "--headless --frames 1"));
}

// ----- the same bits, at the sizes of the contract

class CpuBlockedOfSize : public testing::TestWithParam<Size> {};

INSTANTIATE_TEST_SUITE_P(Small, CpuBlockedOfSize,
                         testing::Values(Size{1, 1}, Size{17, 1}, Size{1, 17}, Size{2, 2}, Size{64, 48}),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CpuBlockedOfSize, GivesTheBitsOfTheReference) {
    const auto [width, height] = GetParam();
    for (const float speed : speeds)
        expect_blocked(book_scene(width, height), speed, {0, 1, 2, 7, 19, 90, 133}, {1});
}

TEST_P(CpuBlockedOfSize, GivesTheBitsOfTheReferenceFromAnyTemperatures) {
    const auto [width, height] = GetParam();
    for (const SourceShare share : source_shares) {
        for (const float speed : speeds) {
            for (const Temperatures& temperatures : scalable)
                expect_blocked(random_scene(width, height, temperatures, share, 2), speed, {1, 19}, {1});
            for (const Temperatures& temperatures : not_scalable)
                expect_blocked(random_scene(width, height, temperatures, share, 3), speed, {1, 19}, {1});
        }
    }
}

/// Grids with several blocks, or with rows for several threads.
class CpuBlockedOfLargeSize : public testing::TestWithParam<Size> {};

/// With sanitizers, the largest size is left out: it takes long, and its memory accesses are no different.
std::vector<Size> large_sizes() {
    std::vector<Size> sizes{{333, 257}, {1500, 70}, {70, 1500}, {2100, 40}};
    if (!sanitized) sizes.push_back({1024, 1024});
    return sizes;
}

INSTANTIATE_TEST_SUITE_P(Large, CpuBlockedOfLargeSize, testing::ValuesIn(large_sizes()),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CpuBlockedOfLargeSize, GivesTheBitsOfTheReference) {
    const auto [width, height] = GetParam();
    const Scene scene = book_scene(width, height);
    const std::vector<int> steps =
        sanitized ? std::vector{0, 1, 7, 19} : std::vector{0, 1, 2, 7, 19, 90, 133};
    expect_blocked(scene, 0.25F, steps, {2}, row_kernels().first(1));
    for (const float speed : speeds) expect_blocked(scene, speed, {19}, {3}, row_kernels().first(1));
}

TEST_P(CpuBlockedOfLargeSize, GivesTheBitsOfTheReferenceAtEverySimdLevel) {
    const auto [width, height] = GetParam();
    for (const float speed : {0.1F, 0.6F})
        expect_blocked(random_scene(width, height, test::sparse, SourceShare::some, 4), speed, {21}, {2});
}

TEST_P(CpuBlockedOfLargeSize, GivesTheBitsOfTheReferenceFromAnyTemperatures) {
    const auto [width, height] = GetParam();
    for (const auto& temperatures : {test::of_all_sizes, test::negative})
        for (const SourceShare share : source_shares)
            expect_blocked(random_scene(width, height, temperatures, share, 5), 0.24F, {7}, {2},
                           row_kernels().first(1));
}

TEST(CpuBlocked, ThreadsDoNotMatter) {
    const std::vector<int> threads =
        sanitized ? std::vector{1, 2, 5, 8} : std::vector{1, 2, 3, 4, 5, 6, 7, 8};
    for (const auto& [width, height] :
         {Size{333, 257}, Size{70, 1500}, Size{2100, 40}, Size{5, 9}, Size{1, 17}})
        expect_blocked(random_scene(width, height, test::ordinary, SourceShare::some, 6), 0.25F, {2, 19, 50},
                       threads, row_kernels().first(1));
}

TEST(CpuBlocked, MoreThreadsThanRows) {
    expect_blocked(book_scene(333, 3), 0.25F, {1, 2, 19, 90}, {64}, row_kernels().first(1));
    expect_blocked(book_scene(3000, 1), 0.25F, {1, 2, 19, 90}, {64}, row_kernels().first(1));
}

/// The edges of SIMD registers and blocks fall on every column and row.
TEST(CpuBlocked, EveryWidthAndHeight) {
    for (int size = 1; size <= 70; ++size) {
        expect_blocked(random_scene(size, 20, test::sparse, SourceShare::some, 7), 0.25F, {11}, {1});
        expect_blocked(random_scene(20, size, test::sparse, SourceShare::some, 8), 0.25F, {11}, {1});
        expect_blocked(random_scene(size, 20, test::sparse, SourceShare::some, 9), 0.6F, {11}, {1});
        ASSERT_FALSE(HasFatalFailure());
    }
    for (const int width : {1023, 1024, 1025, 1026, 2047, 2048, 2049})
        expect_blocked(random_scene(width, 30, test::sparse, SourceShare::some, 10), 0.25F, {11}, {1},
                       row_kernels().first(1));
    for (const int height : {511, 512, 513, 1025, 2047, 2048, 2049, 4097})
        expect_blocked(random_scene(30, height, test::sparse, SourceShare::some, 11), 0.25F, {37}, {1},
                       row_kernels().first(1));
}

/// Tiles of two blocks, the narrowest tiles.
TEST(CpuBlocked, NarrowTiles) {
    for (const auto& [width, height] : {Size{700, 60}, Size{513, 200}, Size{384, 31}, Size{129, 90}}) {
        for (const Temperatures& temperatures : {test::sparse, test::of_all_sizes, test::negative}) {
            const Scene scene = random_scene(width, height, temperatures, SourceShare::some, 24);
            for (const float speed : {0.25F, 0x1.eb851ep-3F, 0.1F}) {
                const std::vector<float> expected = reference_after({39}, scene, speed).front();
                for (const RowKernels& level : row_kernels())
                    for (const bool scale_small : {true, false}) {
                        BlockedSolver blocked(scene, {speed},
                                              {.threads = 3,
                                               .rows = &level,
                                               .scale_small = scale_small,
                                               .cache_bytes = 1,
                                               .shared_cache_bytes = 0});
                        blocked.advance(39);
                        ASSERT_EQ(difference(blocked.temperatures(), expected, width), "")
                            << width << "x" << height << ", " << temperatures.name << ", speed " << speed
                            << ", " << level.simd << (scale_small ? ", scaled" : "");
                    }
            }
        }
    }
}

TEST(CpuBlocked, EveryNumberOfSteps) {
    std::vector<int> steps(80);
    std::iota(steps.begin(), steps.end(), 0);
    expect_blocked(random_scene(90, 100, test::sparse, SourceShare::some, 12), 0.1F, steps, {1},
                   row_kernels().first(1));
}

/// Once a temperature does not fit the scale, no result is rounded as if it were scaled.
TEST(CpuBlocked, ScalingStopsBetweenTwoSteps) {
    constexpr int side = 70;
    Scene scene = random_scene(side, side, test::ordinary, SourceShare::none, 23);
    for (std::size_t i = 0; i < scene.cells(); ++i)
        scene.start[i] = i % 7 == 0 ? 3e-40F : 0x1p-70F * (1 + scene.start[i]);
    for (const RowKernels& level : row_kernels()) {
        for (const float speed : {0.25F, 0.1F}) {
            ReferenceSolver reference(scene, {speed});
            BlockedSolver blocked(scene, {speed}, {.threads = 1, .rows = &level, .scale_small = true});
            for (Solver* solver : {static_cast<Solver*>(&reference), static_cast<Solver*>(&blocked)}) {
                solver->advance(12);
                solver->set_sources({5, 5, 1, 1}, {-1});
                solver->advance(9);
            }
            EXPECT_EQ(difference(blocked.temperatures(), reference.temperatures(), side), "")
                << level.simd << ", speed " << speed;
        }
    }
}

/// At this low speed, a float64 cannot hold the exact sum of the cell and the heat that flows into it:
/// rounded to float64 first, 1001.49999 would become 1001.5, and then 1002.
TEST(CpuBlocked, LowSpeedNextToATie) {
    Scene scene{3, 3, std::vector<float>(9), std::vector<float>(9)};
    scene.start[4] = 1001 * test::least_subnormal;
    scene.start[1] = (4 * 1001 + 0x7fffff) * test::least_subnormal;
    expect_blocked(scene, 0x1.000002p-24F, {1}, {1});
    ReferenceSolver reference(scene, {0x1.000002p-24F});
    reference.advance(1);
    EXPECT_EQ(reference.temperatures()[4], scene.start[4]);
}

// ----- both solvers

class CpuSolver : public testing::TestWithParam<Kernel> {
  protected:
    static std::unique_ptr<Solver> make(const Scene& scene, float speed = 0.25F) {
        return GetParam().make(scene, {speed});
    }
};

/// The kernels as they run on this processor, and `blocked` as it would run on a processor that is slow or
/// fast with subnormal numbers.
std::vector<Kernel> solvers() {
    std::vector<Kernel> all = cpu_kernels();
    for (const bool scale_small : {true, false}) {
        Kernel kernel = all[1];
        kernel.name = scale_small ? "blocked_scaled" : "blocked_unscaled";
        kernel.make = [scale_small](const Scene& scene, const SolverOptions& options) {
            return std::make_unique<BlockedSolver>(scene, options, BlockedTuning{.scale_small = scale_small});
        };
        all.push_back(kernel);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CpuSolver, testing::ValuesIn(solvers()),
                         [](const auto& test) { return test.param.name; });

TEST_P(CpuSolver, ChecksumsOfTheContract) {
    const auto solver = make(book_scene(1024, 1024));
    solver->advance(90);
    EXPECT_EQ(hex(checksum(solver->temperatures())),
              test::published_checksum("heat", "--headless --frames 1"));
    if (sanitized) return;
    for (int frame = 2; frame <= 10; ++frame) solver->advance(90);
    EXPECT_EQ(hex(checksum(solver->temperatures())),
              test::published_checksum("heat", "--headless --frames 10"));
}

TEST_P(CpuSolver, NoStepsChangeNothing) {
    for (const Temperatures& temperatures : {test::of_all_sizes, test::negative}) {
        const Scene scene = random_scene(33, 20, temperatures, SourceShare::some, 13);
        const auto solver = make(scene);
        solver->advance(0);
        EXPECT_EQ(difference(solver->temperatures(), scene.start, 33), "") << temperatures.name;
        solver->advance(5);
        const auto before = solver->temperatures();
        solver->advance(0);
        EXPECT_EQ(difference(solver->temperatures(), before, 33), "") << temperatures.name;
    }
}

TEST_P(CpuSolver, StepsMayBeDoneInPieces) {
    const Scene scene = random_scene(150, 90, test::of_all_sizes, SourceShare::some, 14);
    const auto whole = make(scene);
    whole->advance(137);
    for (const std::vector<int>& pieces :
         {std::vector{1, 136}, std::vector{7, 0, 40, 90}, std::vector{60, 1, 1, 75}}) {
        const auto solver = make(scene);
        for (const int steps : pieces) solver->advance(steps);
        EXPECT_EQ(difference(solver->temperatures(), whole->temperatures(), 150), "");
    }
}

/// Sources that may be kept scaled and sources that may not, in a part of the grid or all of it.
TEST_P(CpuSolver, SourcesChangeBetweenTwoSteps) {
    constexpr int width = 90;
    constexpr int height = 61;
    for (const Temperatures& before : {test::ordinary, test::negative})
        for (const Temperatures& after : {test::ordinary, test::subnormal, test::negative, test::huge})
            for (const Region& changed : {Region{0, 0, width, height}, Region{13, 60, 50, 1},
                                          Region{89, 5, 1, 40}, Region{20, 30, 0, 0}}) {
                SCOPED_TRACE(std::string(before.name) + " to " + after.name);
                Scene scene = random_scene(width, height, before, SourceShare::some, 20);
                const auto sources = random_scene(width, height, after, SourceShare::some, 21).sources;
                const auto solver = make(scene);
                solver->advance(4);
                scene.start = test::naive_steps(scene, 0.25F, 4);

                solver->set_sources(changed, cells_in(sources, changed, scene.width));
                for (int y = changed.y; y < changed.y + changed.height; ++y)
                    for (int x = changed.x; x < changed.x + changed.width; ++x) {
                        const auto i = static_cast<std::size_t>(y * width + x);
                        scene.sources[i] = sources[i];
                        if (sources[i] != 0) scene.start[i] = sources[i];
                    }
                EXPECT_EQ(difference(solver->temperatures(), scene.start, width), "") << "at once";
                solver->advance(9);
                EXPECT_EQ(difference(solver->temperatures(), test::naive_steps(scene, 0.25F, 9), width), "");
            }
}

TEST_P(CpuSolver, KeepsTheHeatOfARoomWithoutSources) {
    for (const float speed : {0.25F, 0.1F}) {
        const Scene scene = random_scene(200, 150, test::ordinary, SourceShare::none, 15);
        const auto heat = [](const std::vector<float>& cells) {
            return std::accumulate(cells.begin(), cells.end(), 0.0);
        };
        const auto solver = make(scene, speed);
        solver->advance(300);
        const double before = heat(scene.start);
        // Each of a cell's three roundings in a step is off by 2^-24 at most, up as often as down.
        EXPECT_NEAR(heat(solver->temperatures()) / before, 1, 1e-6) << speed;
        EXPECT_NE(difference(solver->temperatures(), scene.start, 200), "");
    }
}

TEST_P(CpuSolver, HeatComesToRestAtTheAverage) {
    const auto solver = make({3, 2, std::vector<float>(6), {0, 0, 0, 0, 0, 6}});
    solver->advance(100);  // a quarter of each difference flows in a step
    for (const float t : solver->temperatures()) EXPECT_NEAR(t, 1, 1e-5);
}

TEST_P(CpuSolver, SourcesAreWrittenBeforeEachStepAndNotAfter) {
    Scene scene{3, 1, {0, 0.5F, 0}, {0, 0, 0}};
    const auto solver = make(scene);
    solver->advance(1);
    EXPECT_EQ(solver->temperatures(), (std::vector{0.125F, 0.25F, 0.125F}));
    solver->advance(1);
    EXPECT_EQ(solver->temperatures(), (std::vector{0.21875F, 0.3125F, 0.21875F}));
}

/// Temperatures that may be kept scaled (lowest is 0), and temperatures that may not (lowest is -0.5).
TEST_P(CpuSolver, FrameDrawsTheColourOfEachTemperature) {
    for (const float lowest : {0.0F, -0.5F}) {
        Scene scene = random_scene(75, 40, test::ordinary, SourceShare::none, 16);
        scene.start[0] = lowest;
        const auto solver = make(scene);
        std::vector<unsigned char> pixels(4 * scene.cells());
        for (const int steps : {0, 3, 0}) {
            std::ranges::fill(pixels, static_cast<unsigned char>(99));
            const auto expected = make(scene);
            expected->advance(steps);
            EXPECT_GE(solver->frame(steps, {pixels.data()}), 0);
            if (steps > 0) scene.start = expected->temperatures();
            EXPECT_EQ(difference(solver->temperatures(), scene.start, 75), "");
            for (std::size_t i = 0; i < scene.cells(); ++i) {
                Rgba pixel;
                std::memcpy(&pixel, &pixels[4 * i], 4);
                ASSERT_EQ(pixel, colour_of(scene.start[i])) << "pixel " << i << " after " << steps;
            }
        }
    }
}

TEST_P(CpuSolver, TimesAreMillisecondsOfTheWall) {
    const auto solver = make(book_scene(256, 256));
    const double advance = wall_ms([&] {
        const double said = solver->advance(200);
        EXPECT_GT(said, 0.1);
    });
    EXPECT_LE(solver->advance(200), 100 * advance);
    EXPECT_FALSE(solver->occupancy().has_value());
}

TEST(CpuKernels, AreReferenceAndBlocked) {
    const auto kernels = cpu_kernels();
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "reference");
    EXPECT_EQ(kernels[1].name, "blocked");
    for (const Kernel& kernel : kernels) {
        EXPECT_EQ(kernel.device, DeviceKind::cpu);
        EXPECT_EQ(kernel.memory, "host");
    }
}

}  // namespace
}  // namespace cudabook::heat
