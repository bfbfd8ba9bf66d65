// The kernels of heat and heat_notexture give the reference's bits, whatever the grid, the steps, the speed
// and the launch. The suites HeatKernelsSmall are quick enough for compute-sanitizer.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/numbers/colour_map.hpp"
#include "common/numbers/crc32.hpp"
#include "common/program/memory.hpp"
#include "heat/heat.hpp"
#include "heat_notexture/cpu/blocked_solver.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/gpu_solver.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/kernel.hpp"
#include "tests/heat/formula.hpp"
#include "tests/heat/gpu_kernels.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/published.hpp"

namespace cudabook::heat {
namespace {

class HeatKernels : public OnGpu<SampleKernel> {
  protected:
    static std::string capability() {
        return first_usable(heat_notexture::gpu().find_devices(), gpu_kind).device->compute_capability;
    }

    [[nodiscard]] static std::unique_ptr<Solver> make(const Scene& scene, const SolverOptions& options = {}) {
        return GetParam().kernel.make(scene, options);
    }

    /// Compares the temperatures with the reference's after each number of steps. `steps` must ascend.
    static void compare(const Scene& scene, float speed, const std::vector<int>& steps, Launch launch) {
        SCOPED_TRACE(testing::Message() << scene.width << "x" << scene.height << ", speed " << speed);
        BlockedSolver expected(scene, {speed});
        const auto solver = make(scene, {speed, 0, launch});
        int done = 0;
        for (const int count : steps) {
            expected.advance(count - done);
            EXPECT_GE(solver->advance(count - done), 0);
            done = count;
            EXPECT_EQ(test::difference(solver->temperatures(), expected.temperatures(), scene.width), "")
                << "after " << done << " steps";
        }
    }
};

class HeatKernelsSmall : public HeatKernels {};

std::string name_of(const testing::TestParamInfo<SampleKernel>& info) {
    return info.param.sample + "_" + info.param.kernel.name;
}
INSTANTIATE_TEST_SUITE_P(Samples, HeatKernels, testing::ValuesIn(kernels_of_both_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Samples, HeatKernelsSmall, testing::ValuesIn(kernels_of_both_samples()), name_of);

std::vector<SampleKernel> kernels_with_linear_textures() {
    std::vector<SampleKernel> kernels = kernels_of_both_samples();
    std::erase_if(kernels, [](const SampleKernel& k) { return k.kernel.memory != "texture1d"; });
    return kernels;
}

class HeatLinearTextures : public HeatKernels {};
INSTANTIATE_TEST_SUITE_P(Samples, HeatLinearTextures, testing::ValuesIn(kernels_with_linear_textures()),
                         name_of);

constexpr std::pair<int, int> small_sizes[] = {{1, 1},    {17, 1},  {1, 17},   {2, 2},   {3, 5},
                                               {4, 4},    {5, 3},   {64, 48},  {130, 9}, {127, 9},
                                               {128, 17}, {129, 8}, {132, 33}, {257, 31}};

TEST_P(HeatKernelsSmall, GiveTheReferencesBits) {
    const std::vector<float> speeds = emulated ? std::vector{0.25F} : std::vector{0.25F, 0.1F, 0.0F};
    for (const auto& [width, height] : small_sizes)
        for (const float speed : speeds)
            compare(book_scene(width, height), speed, {0, 1, 2, 7, 20}, Launch::graph);
}

TEST_P(HeatKernelsSmall, GiveTheReferencesBitsWithSourcesAnywhere) {
    for (const auto share : {test::SourceShare::none, test::SourceShare::some, test::SourceShare::all})
        for (const auto& temperatures : {test::ordinary, test::subnormal, test::negative})
            for (const auto& [width, height] : {std::pair{131, 19}, std::pair{6, 7}})
                compare(test::random_scene(width, height, temperatures, share, 1), 0.25F, {1, 4, 9},
                        Launch::graph);
}

TEST_P(HeatKernelsSmall, GiveTheReferencesBitsLaunchedAsInTheText) {
    compare(book_scene(133, 21), 0.25F, {1, 8, 13}, Launch::as_in_text);
}

TEST_P(HeatKernelsSmall, DrawTheColoursOfTheTemperatures) {
    const Scene scene = book_scene(133, 21);
    for (const Launch launch : {Launch::graph, Launch::as_in_text}) {
        BlockedSolver expected(scene, {});
        const auto solver = make(scene, {0.25F, 0, launch});
        std::vector<unsigned char> frames[2];  // the second frame goes to other memory than the first
        for (auto& frame : frames) {
            frame.assign(4 * scene.cells() + 8, 0xA5);
            expected.advance(7);
            solver->frame(7, {frame.data()});
            const std::vector<float> temperatures = expected.temperatures();
            for (std::size_t i = 0; i < scene.cells(); ++i) {
                const Rgba colour = colour_of(temperatures[i]);
                ASSERT_EQ(std::memcmp(&frame[4 * i], &colour, 4), 0) << "pixel " << i;
            }
            for (std::size_t i = 4 * scene.cells(); i < frame.size(); ++i) EXPECT_EQ(frame[i], 0xA5);
        }
    }
}

/// Grids that are large enough for the usual form of kernel `registers`, with two tiles or more.
TEST_P(HeatKernelsSmall, GiveTheReferencesBitsInTilesOfManySteps) {
    compare(book_scene(128, 130), 0.25F, {3, 20}, Launch::graph);
    compare(test::random_scene(260, 121, test::subnormal, test::SourceShare::some, 9), 0.2F, {2, 19},
            Launch::graph);
}

/// The ends of rows, blocks and tiles fall on every column and row.
TEST_P(HeatKernelsSmall, TakeEveryWidthAndHeight) {
    for (int size = 1; size <= 36; ++size)
        for (const auto& [width, height] : {std::pair{size, 11}, std::pair{11, size}})
            compare(test::random_scene(width, height, test::of_all_sizes, test::SourceShare::some, 2), 0.25F,
                    {5}, Launch::graph);
    for (const int width : {126, 127, 128, 129, 131, 133, 255, 256})
        compare(test::random_scene(width, 9, test::of_all_sizes, test::SourceShare::some, 3), 0.25F, {5},
                Launch::graph);
}

TEST_P(HeatKernelsSmall, GiveTheReferencesBitsFromAnyTemperatures) {
    for (const auto share : {test::SourceShare::none, test::SourceShare::some, test::SourceShare::all})
        for (const auto& temperatures : {test::around_least_normal, test::of_all_sizes, test::sparse,
                                         test::negative_zeros, test::huge, test::any_bits})
            for (const Launch launch : {Launch::graph, Launch::as_in_text})
                compare(test::random_scene(61, 43, temperatures, share, 4), 0.1F, {1, 8}, launch);
}

TEST_P(HeatKernelsSmall, DrawToTheMemoryThatEachFrameNames) {
    const Scene scene = test::random_scene(61, 43, test::negative, test::SourceShare::some, 5);
    for (const Launch launch : {Launch::graph, Launch::as_in_text}) {
        std::vector<std::vector<unsigned char>> memory(3, std::vector<unsigned char>(4 * scene.cells()));
        ReferenceSolver expected(scene, {});
        const auto solver = make(scene, {0.25F, 0, launch});
        int steps = 0;
        for (const std::size_t named : {0U, 1U, 0U, 2U, 2U, 1U}) {
            for (auto& pixels : memory) std::ranges::fill(pixels, static_cast<unsigned char>(0xA5));
            std::vector<unsigned char> drawn(4 * scene.cells());
            expected.frame(steps, {drawn.data()});
            EXPECT_GT(solver->frame(steps, {memory[named].data()}), 0);
            EXPECT_TRUE(memory[named] == drawn) << "memory " << named << " after " << steps << " more steps";
            for (std::size_t other = 0; other < memory.size(); ++other)
                EXPECT_TRUE(other == named ||
                            memory[other] == std::vector<unsigned char>(memory[other].size(), 0xA5));
            ++steps;
        }
    }
}

/// Two frames are in progress at a time, on canvases that are used again two to four frames later. A frame
/// that is alone in progress comes before these frames, and another after them.
TEST_P(HeatKernelsSmall, DrawFramesWhilePicturesTravel) {
    const Scene scene = test::random_scene(61, 43, test::negative, test::SourceShare::some, 6);
    for (const Launch launch : {Launch::graph, Launch::as_in_text}) {
        std::vector<std::vector<unsigned char>> memory(3, std::vector<unsigned char>(4 * scene.cells()));
        std::vector<unsigned char> drawn(4 * scene.cells());
        constexpr std::size_t canvas_of[] = {0, 1, 0, 2, 0, 1, 2, 1};
        ReferenceSolver expected(scene, {});
        const auto made = make(scene, {0.25F, 0, launch});
        auto* const solver = dynamic_cast<GpuSolver*>(made.get());
        ASSERT_NE(solver, nullptr);
        const auto expect_next = [&](int steps, std::size_t canvas) {
            expected.frame(steps, {drawn.data()});
            EXPECT_TRUE(memory[canvas] == drawn) << steps << " steps";
        };
        const auto begin = [&](int i) { solver->begin_frame(i, {memory[canvas_of[i]].data()}); };
        solver->frame(2, {memory[0].data()});
        expect_next(2, 0);
        begin(1);
        for (int i = 2; i < 8; ++i) {
            begin(i);
            solver->end_frame();
            expect_next(i - 1, canvas_of[i - 1]);
        }
        solver->end_frame();
        expect_next(7, 1);
        solver->frame(3, {memory[1].data()});
        expect_next(3, 1);
    }
}

TEST_P(HeatKernelsSmall, DrawToDeviceMemory) {
    const Scene scene = book_scene(133, 21);
    const auto solver = make(scene);
    const DeviceArray<unsigned char> on_device(4 * scene.cells());
    solver->frame(7, {on_device.data(), DeviceKind::cuda});
    const std::vector<unsigned char> drawn = on_device.download();
    std::vector<unsigned char> at_host(4 * scene.cells());
    solver->frame(0, {at_host.data()});
    EXPECT_TRUE(drawn == at_host);
}

/// A part of the sources, at the edges of the grid too, changes between two frames.
TEST_P(HeatKernelsSmall, TakeOverChangedSources) {
    for (const auto& [width, height] : {std::pair{133, 21}, std::pair{260, 124}}) {
        Scene scene = test::random_scene(width, height, test::ordinary, test::SourceShare::some, 11);
        ReferenceSolver expected(scene, {});
        const auto solver = make(scene);
        for (const Region& region : {Region{0, 0, width, height}, Region{width - 7, 3, 7, 5},
                                     Region{0, height - 1, 1, 1}, Region{width / 2, 2, 9, 11}}) {
            for (int y = region.y; y < region.y + region.height; ++y)
                for (int x = region.x; x < region.x + region.width; ++x)
                    scene.sources[static_cast<std::size_t>(x + y * width)] =
                        (x + y) % 3 == 0 ? 0.0F : 0.01F * static_cast<float>(1 + x % 50);
            for (Solver* s : {static_cast<Solver*>(&expected), solver.get()}) {
                s->advance(13);
                s->set_sources(region, cells_in(scene.sources, region, width));
            }
            EXPECT_EQ(test::difference(solver->temperatures(), expected.temperatures(), width), "");
        }
        expected.advance(20);
        solver->advance(20);
        EXPECT_EQ(test::difference(solver->temperatures(), expected.temperatures(), width), "");
    }
}

TEST_P(HeatKernelsSmall, TakeOverSourcesThatMayBecomeInfinite) {
    Scene scene = book_scene(133, 125);
    ReferenceSolver expected(scene, {});
    const auto solver = make(scene);
    scene.sources[500] = 3e38F;
    scene.sources[502] = -3e38F;
    for (Solver* s : {static_cast<Solver*>(&expected), solver.get()}) {
        s->advance(20);
        s->set_sources({90, 3, 43, 1}, cells_in(scene.sources, {90, 3, 43, 1}, scene.width));
        s->advance(20);
    }
    EXPECT_EQ(hex(checksum(solver->temperatures())), hex(checksum(expected.temperatures())));
}

TEST_P(HeatKernelsSmall, KeepACopyOfTheTemperatures) {
    const auto made = make(book_scene(133, 21));
    auto* const solver = dynamic_cast<GpuSolver*>(made.get());
    ASSERT_NE(solver, nullptr);
    for (const int steps : {7, 8}) {
        solver->advance(steps);
        const std::vector<float> then = solver->temperatures();
        solver->save();
        solver->advance(5);
        EXPECT_TRUE(solver->saved() == then);
        EXPECT_FALSE(solver->temperatures() == then);
    }
}

TEST_P(HeatKernelsSmall, DoNotDisturbEachOther) {
    const Scene scenes[] = {test::random_scene(64, 48, test::ordinary, test::SourceShare::some, 6),
                            test::random_scene(31, 77, test::ordinary, test::SourceShare::some, 7)};
    const std::unique_ptr<Solver> solvers[] = {make(scenes[0]), make(scenes[1])};
    for (int i = 0; i < 5; ++i)
        for (const auto& solver : solvers) solver->advance(7);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(test::difference(solvers[i]->temperatures(), test::naive_steps(scenes[i], 0.25F, 35),
                                   scenes[i].width),
                  "")
            << "solver " << i;
}

TEST_P(HeatKernels, GiveTheReferencesBits) {
    const std::vector<float> speeds = emulated ? std::vector{0.25F, 0.0F} : std::vector{0.25F, 0.1F, 0.0F};
    const std::vector<int> steps = emulated ? std::vector{7, 23} : std::vector{7, 90, 181};
    for (const auto& [width, height] : {std::pair{333, 257}, std::pair{1500, 70}, std::pair{70, 1500}})
        for (const float speed : speeds) compare(book_scene(width, height), speed, steps, Launch::graph);
    if (emulated) return;
    compare(book_scene(1024, 1024), 0.25F, {1, 90, 133}, Launch::graph);
    compare(book_scene(1999, 1500), 0.25F, {90, 123}, Launch::graph);
}

/// Tiles at the edges, side by side and one above another; any number of steps in a launch; ordinary,
/// subnormal and huge temperatures.
TEST_P(HeatKernels, GiveTheReferencesBitsInTilesOfManySteps) {
    for (const auto& [width, height] : {std::pair{128, 120}, std::pair{256, 130}, std::pair{388, 250}})
        compare(book_scene(width, height), 0.25F, {1, 3, 20, emulated ? 21 : 53}, Launch::graph);
    for (const auto share : {test::SourceShare::none, test::SourceShare::some, test::SourceShare::all})
        for (const auto& temperatures : {test::subnormal, test::huge})
            compare(test::random_scene(260, 121, temperatures, share, 9), 0.2F, {2, emulated ? 18 : 31},
                    Launch::graph);
    std::vector<int> every_count;
    for (int steps = 1, sum = 0; steps <= 18; ++steps) every_count.push_back(sum += steps);
    compare(test::random_scene(132, 122, test::ordinary, test::SourceShare::some, 10), 0.25F, every_count,
            Launch::graph);
}

TEST_P(HeatKernels, GiveTheReferencesBitsWhereTemperaturesAreUnstable) {
    const std::vector<float> speeds = emulated ? std::vector{0.6F, 3.0F} : std::vector{0.6F, 3.0F, -0.1F};
    const int steps = emulated ? 100 : 300;
    for (const float speed : speeds) {
        const Scene scene = book_scene(100, 60);
        ReferenceSolver expected(scene, {speed});
        const auto solver = make(scene, {speed});
        expected.advance(steps);
        solver->advance(steps);
        EXPECT_TRUE(std::ranges::any_of(expected.temperatures(), [](float t) { return std::isnan(t); }));
        EXPECT_EQ(hex(checksum(solver->temperatures())), hex(checksum(expected.temperatures())))
            << "speed " << speed;
    }
}

TEST_P(HeatKernels, GiveTheReferencesBitsOverSeveralGraphsAFrame) {
    compare(book_scene(40, 30), 0.25F, {999, 2000, emulated ? 2003 : 4003}, Launch::graph);
}

TEST_P(HeatKernels, GiveTheContractsChecksums) {
    // The emulated GPU of compute capability 9.0 runs all kernels. Other emulated GPUs, which have the same
    // code, run only `book`.
    if (emulated && GetParam().kernel.name != "book" && capability() != "9.0") return;
    const Scene scene = book_scene(1024, 1024);
    for (const Launch launch : {Launch::graph, Launch::as_in_text}) {
        const auto solver = make(scene, {0.25F, 0, launch});
        solver->advance(90);
        EXPECT_EQ(hex(checksum(solver->temperatures())),
                  test::published_checksum("heat", "--headless --frames 1"));
        if (emulated) return;
        for (int frame = 1; frame < 10; ++frame) solver->advance(90);
        EXPECT_EQ(hex(checksum(solver->temperatures())),
                  test::published_checksum("heat", "--headless --frames 10"));
    }
}

/// Returns true if the kernel accesses the grid by rows and columns, of which a texture or surface can have
/// fewer than memory.
bool spans_a_plane(const Kernel& kernel) {
    return kernel.memory == "texture2d" || kernel.memory == "surface";
}

/// The grid has more rows than a launch can cover with blocks of 16 or 8 rows.
TEST_P(HeatKernels, TakeATallGridOrSayWhyNot) {
    // The tiles of these kernels are too high for that limit, and an emulated GPU takes seconds to compute
    // all their columns.
    if (const auto& name = GetParam().kernel.name;
        emulated && (name == "registers" || name == "prefetched" || name == "streamed" || name == "temporal"))
        return;
    const Scene scene = book_scene(1, 1'100'000);
    if (spans_a_plane(GetParam().kernel))
        EXPECT_THROW(static_cast<void>(make(scene)), MachineError);
    else
        compare(scene, 0.25F, {emulated ? 1 : 3}, Launch::graph);
}

/// More rows or columns than a pitched texture or a surface may have.
TEST_P(HeatKernels, TakeALongGridOrSayWhyNot) {
    for (const auto& [width, height] : {std::pair{1'100'000, 1}, std::pair{5, 70'000}}) {
        const Scene scene = test::random_scene(width, height, test::ordinary, test::SourceShare::some, 8);
        if (!spans_a_plane(GetParam().kernel)) {
            compare(scene, 0.25F, {emulated ? 1 : 3}, Launch::graph);
            continue;
        }
        const std::string text = test::error_text<MachineError>([&] { static_cast<void>(make(scene)); });
        EXPECT_TRUE(test::is_one_line(text)) << text;
        EXPECT_NE(text.find(fmt::format("the grid has {}x{}", width, height)), std::string::npos) << text;
    }
}

std::vector<SampleKernel> kernels_with_surfaces() {
    std::vector<SampleKernel> kernels = kernels_of_both_samples();
    std::erase_if(kernels, [](const SampleKernel& k) { return k.kernel.memory != "surface"; });
    return kernels;
}

class HeatSurfaces : public HeatKernels {};
INSTANTIATE_TEST_SUITE_P(Samples, HeatSurfaces, testing::ValuesIn(kernels_with_surfaces()), name_of);

/// The widest and the highest array that can be written, and one column or row more.
TEST_P(HeatSurfaces, TakeTheLargestGridAndSayThatALargerOneIsTooLarge) {
    const auto limit = [](cudaDeviceAttr of_textures, cudaDeviceAttr of_surfaces) {
        int texels[2] = {};
        CUDA_CHECK(cudaDeviceGetAttribute(&texels[0], of_textures, 0));
        CUDA_CHECK(cudaDeviceGetAttribute(&texels[1], of_surfaces, 0));
        return std::min(texels[0], texels[1]);
    };
    const int columns = limit(cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxSurface2DWidth);
    const int rows = limit(cudaDevAttrMaxTexture2DHeight, cudaDevAttrMaxSurface2DHeight);
    const auto scene = [](int width, int height) {
        return test::random_scene(width, height, test::ordinary, test::SourceShare::some, 12);
    };
    for (const auto& [width, height] : {std::pair{columns, 2}, std::pair{2, rows}})
        compare(scene(width, height), 0.25F, {3}, Launch::graph);
    for (const auto& [width, height] : {std::pair{columns + 1, 2}, std::pair{2, rows + 1}}) {
        const std::string text = test::error_text<MachineError>(
            [&, width = width, height = height] { static_cast<void>(make(scene(width, height))); });
        EXPECT_EQ(text, fmt::format("a surface of this device spans {}x{} cells, and the grid has {}x{}; use "
                                    "--kernel registers or a smaller grid",
                                    columns, rows, width, height));
    }
}

TEST_P(HeatLinearTextures, SayThatTheySpanFewerCells) {
    if (emulated) GTEST_SKIP() << "it takes gigabytes";
    std::size_t limit = 0;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    CUDA_CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&limit, &format, 0));
    constexpr int width = 16384;
    Scene scene{width, static_cast<int>(limit / width) + 1, {}, {}};
    if (available_memory() < 16 * scene.cells()) GTEST_SKIP() << "too little host memory";
    scene.sources.resize(scene.cells());
    scene.start.resize(scene.cells());
    const std::string text = test::error_text<MachineError>([&] { static_cast<void>(make(scene)); });
    EXPECT_TRUE(test::is_one_line(text)) << text;
    EXPECT_NE(text.find(fmt::format("spans {} cells", limit)), std::string::npos) << text;
}

TEST_P(HeatKernels, SayHowMuchOfAMultiprocessorTheyTake) {
    const auto occupancy = make(book_scene(64, 64))->occupancy();
    ASSERT_TRUE(occupancy.has_value());
    EXPECT_GT(occupancy->percent, 0);
    EXPECT_LE(occupancy->percent, 100);
    EXPECT_GT(occupancy->registers, 0);
}

TEST_P(HeatKernels, SayThatTheDeviceHasTooLittleMemory) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    constexpr std::size_t left = std::size_t{64} << 20U;
    std::vector<DeviceArray<char>> taken;
    if (free_bytes > left) taken.emplace_back(free_bytes - left);
    try {
        static_cast<void>(make(book_scene(8192, 4096)));
        FAIL() << "four arrays of 128 MiB fit into " << (left >> 20U) << " MiB";
    } catch (const MachineError& error) {
        EXPECT_NE(std::string_view(error.what()).find("out of memory"), std::string_view::npos)
            << error.what();
    }
    taken.clear();
    compare(book_scene(64, 48), 0.25F, {3}, Launch::graph);  // the device still works
}

// This needs no GPU.
TEST(HeatKernelTables, NameEachKernelOnce) {
    GpuBackend both = heat_texture::gpu();
    both.kernels = with_counterparts(both.kernels, heat_notexture::gpu().kernels);
    for (const GpuBackend& backend : {heat_notexture::gpu(), heat_texture::gpu(), both}) {
        for (const Kernel& kernel : backend.kernels) {
            EXPECT_EQ(std::ranges::count(backend.kernels, kernel.name, &Kernel::name), 1) << kernel.name;
            EXPECT_TRUE(kernel.name != "reference" && kernel.name != "blocked" && kernel.name != "all");
            EXPECT_EQ(kernel.device, DeviceKind::cuda) << kernel.name;
            EXPECT_FALSE(kernel.what.empty()) << kernel.name;
        }
        EXPECT_EQ(std::ranges::count(backend.kernels, "book", &Kernel::name), 1);
        EXPECT_EQ(std::ranges::count(backend.kernels, backend.fastest, &Kernel::name), 1);
    }
}

TEST(HeatKernelTables, CounterpartsAreThoseOfHeatNotexture) {
    const std::vector<Kernel> textures = heat_texture::gpu().kernels;
    const std::vector<Kernel> global = heat_notexture::gpu().kernels;
    ASSERT_EQ(textures.size(), global.size());
    const std::vector<Kernel> all = with_counterparts(textures, global);
    ASSERT_EQ(all.size(), textures.size() + global.size());
    EXPECT_EQ(all.back().name, "streamed_global");
    for (std::size_t i = 0; i < textures.size(); ++i) {
        EXPECT_EQ(all[2 * i].name, textures[i].name);
        EXPECT_FALSE(all[2 * i].for_comparison);
        const Kernel& counterpart = all[2 * i + 1];
        EXPECT_EQ(counterpart.name, global[i].name + "_global");
        EXPECT_EQ(counterpart.memory, "global");
        EXPECT_EQ(counterpart.what, global[i].what);
        EXPECT_EQ(counterpart.most_steps, global[i].most_steps);
        EXPECT_TRUE(counterpart.for_comparison);
        EXPECT_FALSE(global[i].for_comparison);
    }
}

}  // namespace
}  // namespace cudabook::heat
