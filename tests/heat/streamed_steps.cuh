// One launch of kernel `streamed`, whatever the grid's size: the program launches this kernel for large grids
// alone.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/kernels/8_streamed.cuh"
#include "heat_notexture/kernels/write_sources.cuh"
#include "heat_notexture/scene.hpp"
#include "tests/heat/scene_on_gpu.cuh"

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
    const SceneOnGpu gpu(scene);
    launch(write_sources_kernel, gpu.tiles, gpu.tile, gpu.stream, gpu.in.data(), gpu.sources.data(),
           gpu.tile_has_source.data(), gpu.width, gpu.height, gpu.width);
    gpu.stream.synchronize();
    launch_with_shared(
        streamed_kernel<columns>, static_cast<unsigned>(c.blocks), dim3(32, stream_threads / 32),
        sizeof(Rings<columns>), gpu.stream, gpu.out.data(), gpu.in.data(), gpu.sources.data(),
        gpu.tile_has_source.data(), c.width, c.height, c.width, 0.25F, c.steps, keeps_last,
        SourceTiles(c.width, c.height, flags_of(gpu.tile_has_source)).cuts({columns, c.blocks}, c.steps));
    gpu.stream.synchronize();
    return gpu.out.download();
}

}  // namespace cudabook::test
