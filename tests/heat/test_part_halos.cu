// What a part of a grid sends to its neighbours, in any order that the two streams of a round allow. A GPU
// does the work in some order, the emulated GPU in another order with each schedule.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/cuda_kernel.cuh"
#include "heat_notexture/gpu/device_grid.cuh"
#include "heat_notexture/gpu/part_halos.cuh"
#include "heat_notexture/kernels/5_temporal.cuh"
#include "heat_notexture/parts/workers/gpu/stream_link.cuh"
#include "heat_notexture/region.hpp"
#include "tests/heat/formula.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::heat {
namespace {

struct PointerView {
    static constexpr int row_alignment = 4;
    PointerView(const float* memory, const GridShape&, int) : cells(memory) {}
    const float* cells;
};

void temporal(const Step<PointerView>& s, dim3 block) {
    const auto side = static_cast<unsigned>(shared_side - 2 * s.steps);
    launch(temporal_kernel<LoadCell>, s.shape.tiles(side, side), block, s.stream, s.out.cells.data(),
           LoadCell{s.in.view.cells}, LoadCell{s.sources.view.cells}, static_cast<int>(s.shape.width),
           static_cast<int>(s.shape.height), static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

__global__ void copy_kernel(float* to, const float* from, std::size_t count) {
    const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i];
}

/// A link that keeps the last message to each side, and receives zeros. A kernel copies the messages, because
/// compute-sanitizer's initcheck reports thousands of errors for cudaMemcpyAsync in this graph, and none for
/// a kernel that reads the same cells.
class KeepingLink final : public StreamLink {
  public:
    /// `sizes`: the number of cells of each message, in the order of sending.
    explicit KeepingLink(std::initializer_list<int> sizes) {
        for (const int size : sizes) kept_.emplace_back(static_cast<std::size_t>(size));
    }
    [[nodiscard]] const char* name() const override { return "test"; }
    [[nodiscard]] bool in_graphs() const override { return true; }
    void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                  std::span<const DeviceMessage> incoming) override {
        for (const DeviceMessage& message : outgoing) {
            constexpr unsigned threads = 256;
            launch(copy_kernel, (static_cast<unsigned>(message.count) + threads - 1) / threads, threads,
                   stream, kept_[sent_++ % kept_.size()].data(), message.cells, message.count);
        }
        for (const DeviceMessage& message : incoming)
            CUDA_CHECK(cudaMemsetAsync(message.cells, 0, message.count * sizeof(float), stream.get()));
    }
    [[nodiscard]] const std::vector<DeviceArray<float>>& kept() const { return kept_; }

  private:
    std::vector<DeviceArray<float>> kept_;
    std::size_t sent_ = 0;
};

/// The parameter says whether the part has strips.
class HeatPartHalosSmall : public test::Gpu, public testing::WithParamInterface<bool> {};

/// A part with four neighbours, and a round of three launches. The second launch writes to the grid that the
/// round began with.
TEST_P(HeatPartHalosSmall, SendWhatTheRoundBeganWith) {
    constexpr int width = 256;
    constexpr int height = 64;
    constexpr int steps = 3;
    const Scene scene = test::random_scene(width, height, test::ordinary, test::SourceShare::some, 21);
    const std::vector<float> expected = test::naive_steps(scene, 0.25F, steps);
    constexpr int rows = height - 2 * steps;  // the part's own
    const Region left{steps, steps, steps, rows};
    const Region right{width - 2 * steps, steps, steps, rows};
    const Region bottom{0, steps, width, steps};
    const Region top{0, height - 2 * steps, width, steps};
    const Borders borders{{{1, Side::left, left, {0, steps, steps, rows}},
                           {2, Side::right, right, {width - steps, steps, steps, rows}}},
                          {{3, Side::bottom, bottom, {0, 0, width, steps}},
                           {4, Side::top, top, {0, height - steps, width, steps}}}};
    const Heating<PointerView> heating{.kernel = {.name = "temporal",
                                                  .memory = "shared",
                                                  .what = "",
                                                  .function = nullptr,
                                                  .block = {shared_threads, shared_threads},
                                                  .write_sources = WriteSources::before_step,
                                                  .most_steps = 1,
                                                  .enqueue = temporal},
                                       .speed = 0.25F,
                                       .bounded = true,
                                       .in_part = true,
                                       .beside_strips = GetParam(),
                                       .gpu = {1, false}};
    DeviceGrid<PointerView> grid(width, height, scene.start, scene.sources, device().index);
    KeepingLink link({steps * rows, steps * rows, width * steps, width * steps});
    PartHalos<PointerView> halos(link, borders, steps, GetParam(), grid, device().index);
    ASSERT_EQ(halos.has_strips(), GetParam());
    const Stream stream(Priority::usual, cudaStreamNonBlocking);
    grid.prepare_sources(heating.kernel, stream);
    halos.prepare_sources(heating.kernel, stream);
    const DeviceArray<float> start(std::span<const float>(scene.start));
    const Graph round(stream, [&] {
        CUDA_CHECK(cudaMemcpyAsync(grid.cells(0), start.data(), scene.start.size() * sizeof(float),
                                   cudaMemcpyDeviceToDevice, stream.get()));
        halos.round(heating, stream, {}, steps, true,
                    [&] { return grid.enqueue(heating, stream, {}, steps, true); });
    });
    for (int launch = 0; launch < 20; ++launch) {
        round.launch(stream);
        stream.synchronize();
        auto kept = link.kept().begin();
        for (const Region& edge : {left, right, bottom, top}) {
            const std::vector<float> sent = (kept++)->download();
            // The corners of the last two edges come from the neighbours at the left and right.
            const int begin = edge.width == width ? 2 * steps : 0;
            for (int y = 0; y < edge.height; ++y)
                for (int x = begin; x < edge.width - begin; ++x)
                    ASSERT_TRUE(
                        test::same(sent[static_cast<std::size_t>(x + y * edge.width)],
                                   expected[static_cast<std::size_t>(edge.x + x + (edge.y + y) * width)]))
                        << "launch " << launch << ", cell " << edge.x + x << ", " << edge.y + y;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, HeatPartHalosSmall, testing::Bool(),
                         [](const auto& strips) { return strips.param ? "Strips" : "NoStrips"; });

}  // namespace
}  // namespace cudabook::heat
