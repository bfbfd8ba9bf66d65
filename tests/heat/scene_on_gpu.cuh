// A scene on the GPU, for tests that launch a kernel themselves.
#pragma once

#include <span>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/kernels/mark_tiles.cuh"
#include "heat_notexture/scene.hpp"

namespace cudabook::test {

/// The grids of a launch, without padding, and which tiles have a source (kernels/mark_tiles.cuh).
struct SceneOnGpu {
    explicit SceneOnGpu(const heat::Scene& scene)
        : width(static_cast<unsigned>(scene.width)),
          height(static_cast<unsigned>(scene.height)),
          tiles((width + heat::tile_width - 1) / heat::tile_width *
                ((height + heat::tile_height - 1) / heat::tile_height)),
          in(std::span<const float>(scene.start)),
          sources(std::span<const float>(scene.sources)),
          out(scene.cells()),
          tile_has_source(tiles) {
        launch(heat::mark_tiles_kernel, tiles, tile, stream, sources.data(), tile_has_source.data(), width,
               height, width);
    }

    unsigned width, height;
    unsigned tiles;
    dim3 tile{heat::tile_threads_x, heat::tile_height};  ///< the threads of a block that does a tile
    DeviceArray<float> in, sources, out;
    DeviceArray<bool> tile_has_source;
    Stream stream;
};

}  // namespace cudabook::test
