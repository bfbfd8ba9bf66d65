// Kernel `prefetched` with many tiles for each block. On most GPUs that needs a large grid, so the tests
// launch few blocks.
#include <gtest/gtest.h>

#include <vector>

#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/kernels/7_prefetched.cuh"
#include "tests/heat/formula.hpp"
#include "tests/heat/scene_on_gpu.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook::heat {
namespace {

struct Case {
    int width, height, steps;
    unsigned blocks;
};

template <int rows>
std::vector<float> prefetched_steps(const Scene& scene, const Case& c) {
    const test::SceneOnGpu gpu(scene);
    const RegisterTiling tiling = tiling_by(register_warps, rows, c.width, c.height, c.steps);
    EXPECT_GT(tiling.tiles, c.blocks) << "no block would have a second tile";
    constexpr dim3 block(32, register_warps);
    launch_with_shared(prefetched_kernel<rows>, c.blocks, block, rows * sizeof(float4) * block.x * block.y,
                       gpu.stream, gpu.out.data(), gpu.in.data(), gpu.sources.data(),
                       gpu.marks.tile_has_source(), c.width, c.height, c.width, 0.25F, c.steps,
                       static_cast<int>(tiling.tiles));
    gpu.stream.synchronize();
    return gpu.out.download();
}

/// Returns true if the GPU has enough shared memory for blocks with `rows` rows a warp.
bool fits(int rows) {
    const int bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, test::Gpu::device().index);
    return int{sizeof(SharedRows)} + rows * int{sizeof(float4)} * 32 * register_warps <= bytes;
}

class HeatPrefetchedSmall : public test::Gpu {};

TEST_F(HeatPrefetchedSmall, GivesTheBitsOfTheFormula) {
    if (!fits(12)) GTEST_SKIP() << "too little shared memory";
    for (const Case& c :
         {Case{256, 170, 5, 2}, Case{132, 300, 16, 1}, Case{512, 168, 1, 3}, Case{236, 200, 12, 3}})
        for (const test::SourceShare sources : {test::SourceShare::none, test::SourceShare::some}) {
            SCOPED_TRACE(testing::Message() << c.width << "x" << c.height << ", " << c.steps << " steps");
            const Scene scene = test::random_scene(c.width, c.height, test::ordinary, sources, 38);
            const std::vector<float> expected = test::naive_steps(scene, 0.25F, c.steps);
            EXPECT_EQ(test::difference(prefetched_steps<12>(scene, c), expected, c.width), "");
            if (!fits(14)) continue;
            EXPECT_EQ(test::difference(prefetched_steps<14>(scene, c), expected, c.width), "");
        }
}

/// The sources are in one corner, so some tiles have sources and others have none. A block gets tiles of both
/// kinds, in either order.
TEST_F(HeatPrefetchedSmall, KeepsTheSourcesOfATileApartFromThoseOfTheNext) {
    if (!fits(12)) GTEST_SKIP() << "too little shared memory";
    constexpr Case c{440, 310, 8, 3};
    for (const bool in_the_last_tiles : {false, true}) {
        Scene scene = test::random_scene(c.width, c.height, test::ordinary, test::SourceShare::all, 39);
        for (int y = 0; y < c.height; ++y)
            for (int x = 0; x < c.width; ++x) {
                const bool corner =
                    in_the_last_tiles ? x >= c.width - 200 && y >= c.height - 70 : x <= 200 && y <= 70;
                if (!corner || (x + y) % 3 == 0) scene.sources[static_cast<std::size_t>(x + y * c.width)] = 0;
            }
        EXPECT_EQ(test::difference(prefetched_steps<12>(scene, c), test::naive_steps(scene, 0.25F, c.steps),
                                   c.width),
                  "");
    }
}

}  // namespace
}  // namespace cudabook::heat
