#include "texture_unit/gpu/ceilings.hpp"

#include <cstddef>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "texture_unit/kernels/fetch_ceiling.cuh"

namespace cudabook::texture_unit {

namespace {

double gfetches_per_s(const Device& device, cudaTextureFilterMode filter) {
    std::vector<float> texels(static_cast<std::size_t>(ceiling_side) * ceiling_side, 1);
    const CudaArray array(texels, make_cudaExtent(ceiling_side, ceiling_side, 0));
    cudaTextureDesc texture{};
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = filter;
    const TextureObject object(array.get(), texture);
    constexpr unsigned threads = 1024;
    const auto blocks = static_cast<unsigned>(device.units) * (gpu_kind == DeviceKind::emulated ? 1U : 16U);
    const DeviceArray<float> out(std::size_t{blocks} * threads);
    const Stream stream;
    Stopwatch stopwatch;
    const Measurement time = measure([&] {
        stopwatch.start(stream);
        launch(fetch_ceiling_kernel, blocks, threads, stream, out.data(), object.handle());
        return stopwatch.stop(stream);
    });
    return static_cast<double>(out.size()) * ceiling_fetches / time.median / 1e6;
}

}  // namespace

Ceilings ceilings(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    return {.copy_gb_per_s = device_copy_gb_per_s(device.index),
            .gfetches_per_s = gfetches_per_s(device, cudaFilterModePoint),
            .linear_gfetches_per_s = gfetches_per_s(device, cudaFilterModeLinear)};
}

}  // namespace cudabook::texture_unit
