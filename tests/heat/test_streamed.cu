// Kernel `streamed` with few blocks, so that a block does long stretches, and stretches of several bands.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/kernels/8_streamed.cuh"
#include "heat_notexture/kernels/mark_tiles.cuh"
#include "tests/heat/formula.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::heat {
namespace {

struct StreamedCase {
    int width, height, steps, blocks;
};

std::vector<unsigned char> flags_of(const DeviceArray<bool>& tiles) {
    std::vector<unsigned char> flags(tiles.size());
    CUDA_CHECK(cudaMemcpy(flags.data(), tiles.data(), flags.size(), cudaMemcpyDeviceToHost));
    return flags;
}

template <int columns>
std::vector<float> streamed_steps(const Scene& scene, const StreamedCase& c) {
    const auto width = static_cast<unsigned>(c.width);
    const auto height = static_cast<unsigned>(c.height);
    const DeviceArray<float> in(std::span<const float>(scene.start));
    const DeviceArray<float> sources(std::span<const float>(scene.sources));
    const DeviceArray<float> out(scene.cells());
    const unsigned flags = (width + tile_width - 1) / tile_width * ((height + tile_height - 1) / tile_height);
    const DeviceArray<bool> tile_has_source(flags);
    const Stream stream;
    launch(mark_tiles_kernel, flags, dim3(tile_threads_x, tile_height), stream, sources.data(),
           tile_has_source.data(), width, height, width);
    stream.synchronize();
    launch_with_shared(
        streamed_kernel<columns>, static_cast<unsigned>(c.blocks), dim3(32, stream_threads / 32),
        sizeof(Rings<columns>), stream, out.data(), in.data(), sources.data(), tile_has_source.data(),
        c.width, c.height, c.width, 0.25F, c.steps,
        SourceTiles(c.width, c.height, flags_of(tile_has_source)).cuts({columns, c.blocks}, c.steps));
    stream.synchronize();
    return out.download();
}

class HeatStreamedSmall : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        const void* const kernel = reinterpret_cast<const void*>(streamed_kernel<12>);
        if (!IsSkipped() && (capability_of_device() != 90 || capability_of_code(kernel) != 90))
            GTEST_SKIP() << "needs compute capability 9.0, and code for it (90a)";
    }
};

TEST_F(HeatStreamedSmall, GivesTheBitsOfTheFormula) {
    for (const StreamedCase& c :
         {StreamedCase{384, 40, 1, 1}, StreamedCase{384, 50, 24, 2}, StreamedCase{640, 64, 4, 2},
          StreamedCase{700, 60, 11, 3}, StreamedCase{1284, 33, 22, 1}})
        for (const test::SourceShare sources : {test::SourceShare::none, test::SourceShare::some}) {
            SCOPED_TRACE(testing::Message() << c.width << "x" << c.height << ", " << c.steps << " steps");
            const Scene scene = test::random_scene(c.width, c.height, test::ordinary, sources, 40);
            const std::vector<float> expected = test::naive_steps(scene, 0.25F, c.steps);
            EXPECT_EQ(test::difference(streamed_steps<12>(scene, c), expected, c.width), "");
            if (c.width < 640) continue;
            EXPECT_EQ(test::difference(streamed_steps<20>(scene, c), expected, c.width), "");
        }
}

/// Groups of rows with sources and groups without follow each other in each order. One block does both bands,
/// of which the first or the second has no sources.
TEST_F(HeatStreamedSmall, KeepsTheSourcesOfARowApartFromThoseOfTheNext) {
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
        EXPECT_EQ(
            test::difference(streamed_steps<12>(scene, c), test::naive_steps(scene, 0.25F, c.steps), c.width),
            "");
    }
}

}  // namespace
}  // namespace cudabook::heat
