// One launch of kernel `streamed`, whatever the grid's size: the program launches this kernel for large grids
// alone.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/kernels/8_streamed.cuh"
#include "heat_notexture/kernels/mark_tiles.cuh"
#include "heat_notexture/kernels/write_sources.cuh"
#include "heat_notexture/scene.hpp"

namespace cudabook::test {

struct StreamedCase {
    int width, height, steps, blocks;
};

inline std::vector<unsigned char> flags_of(const DeviceArray<bool>& tiles) {
    std::vector<unsigned char> flags(tiles.size());
    CUDA_CHECK(cudaMemcpy(flags.data(), tiles.data(), flags.size(), cudaMemcpyDeviceToHost));
    return flags;
}

/// Returns the temperatures after the steps of one launch. keeps_last: whether the last step keeps the
/// sources.
template <int columns>
std::vector<float> streamed_steps(const heat::Scene& scene, const StreamedCase& c, bool keeps_last = false) {
    using namespace heat;
    const auto width = static_cast<unsigned>(c.width);
    const auto height = static_cast<unsigned>(c.height);
    const DeviceArray<float> in(std::span<const float>(scene.start));
    const DeviceArray<float> sources(std::span<const float>(scene.sources));
    const DeviceArray<float> out(scene.cells());
    const unsigned flags = (width + tile_width - 1) / tile_width * ((height + tile_height - 1) / tile_height);
    const DeviceArray<bool> tile_has_source(flags);
    const Stream stream;
    const dim3 tile(tile_threads_x, tile_height);
    launch(mark_tiles_kernel, flags, tile, stream, sources.data(), tile_has_source.data(), width, height,
           width);
    launch(write_sources_kernel, flags, tile, stream, in.data(), sources.data(), tile_has_source.data(),
           width, height, width);
    stream.synchronize();
    launch_with_shared(
        streamed_kernel<columns>, static_cast<unsigned>(c.blocks), dim3(32, stream_threads / 32),
        sizeof(Rings<columns>), stream, out.data(), in.data(), sources.data(), tile_has_source.data(),
        c.width, c.height, c.width, 0.25F, c.steps, keeps_last,
        SourceTiles(c.width, c.height, flags_of(tile_has_source)).cuts({columns, c.blocks}, c.steps));
    stream.synchronize();
    return out.download();
}

}  // namespace cudabook::test
