// A scene on the GPU, for tests that launch a kernel themselves.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/grid.cuh"
#include "heat_notexture/gpu/source_marks.cuh"
#include "heat_notexture/scene.hpp"

namespace cudabook::test {

/// The grids of a launch, without padding, and the marks of the sources. `out` is filled with NaN.
struct SceneOnGpu {
    explicit SceneOnGpu(const heat::Scene& scene)
        : width(static_cast<unsigned>(scene.width)),
          height(static_cast<unsigned>(scene.height)),
          in(std::span<const float>(scene.start)),
          sources(std::span<const float>(scene.sources)),
          out(std::span<const float>(
              std::vector<float>(scene.cells(), std::numeric_limits<float>::quiet_NaN()))),
          marks(heat::GridShape{width, height, width}) {
        marks.mark(sources.data(), stream, true);
    }

    unsigned width, height;
    DeviceArray<float> in, sources, out;
    heat::SourceMarks marks;
    Stream stream;
};

}  // namespace cudabook::test
