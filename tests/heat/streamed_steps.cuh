// Launches kernel `streamed` once, for a grid of any size. (The program launches this kernel only for large
// grids.)
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <vector>

#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"
#include "heat/kernels/8_streamed.cuh"
#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/scene.hpp"
#include "tests/heat/scene_on_gpu.cuh"

namespace cudabook::test {

struct StreamedCase {
    int width, height, steps, blocks;
};

/// Returns the temperatures after one launch with c.steps steps. rows: reads the grid's rows for the kernel.
/// keeps_last: whether the result has the sources' temperatures in the cells of the sources.
template <int columns, class Rows>
std::vector<float> streamed_steps_of(SceneOnGpu& in, const Rows& rows, const StreamedCase& c,
                                     bool keeps_last) {
    using namespace heat;
    in.marks.write(in.sources.data(), in.in.data(), in.stream);
    launch_with_shared(streamed_kernel<columns, Rows>, static_cast<unsigned>(c.blocks),
                       dim3(32, stream_threads / 32), sizeof(heat::Rings<columns>), in.stream, in.out.data(),
                       rows, in.marks.bits(), c.width, c.height, c.width, 0.25F, c.steps, keeps_last,
                       in.marks.tiles().cuts({columns, c.blocks}, c.steps), in.marks.taken());
    in.stream.synchronize();
    TakenShares taken{};
    CUDA_CHECK(cudaMemcpy(&taken, in.marks.taken(), sizeof taken, cudaMemcpyDeviceToHost));
    if (taken.with_sources != 0 || taken.without_sources != 0 || taken.blocks != 0)
        throw std::logic_error("the launch does not clear what it has counted");
    return in.out.download();
}

enum class Through { memory, textures };

template <int columns>
std::vector<float> streamed_steps(const heat::Scene& scene, const StreamedCase& c, Through through,
                                  bool keeps_last = false) {
    SceneOnGpu in(scene);
    if (through == Through::memory)
        return streamed_steps_of<columns>(in, CopyRows{in.in.data()}, c, keeps_last);
    const auto fours = TextureObject::linear(reinterpret_cast<float4*>(in.in.data()), in.in.size() / 4);
    return streamed_steps_of<columns>(in, FetchRows{fours.handle()}, c, keeps_last);
}

}  // namespace cudabook::test
