#include "texture_unit/gpu/ceilings.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "texture_unit/gpu/cuda_modes.cuh"
#include "texture_unit/gpu/measure_in_graph.cuh"
#include "texture_unit/kernels/copy.cuh"
#include "texture_unit/kernels/fetch_ceiling.cuh"

namespace cudabook::texture_unit {

namespace {

double gfetches_per_s(const Device& device, Filter filter) {
    std::vector<float> texels(static_cast<std::size_t>(ceiling_side) * ceiling_side, 1);
    const CudaArray array(texels, make_cudaExtent(ceiling_side, ceiling_side, 0));
    const TextureObject object(
        array.get(), description_of({Address::clamp, Address::clamp, Address::clamp}, filter, false));
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
            .gfetches_per_s = gfetches_per_s(device, Filter::point),
            .linear_gfetches_per_s = gfetches_per_s(device, Filter::linear)};
}

double copy_gb_per_s(const Device& device, std::size_t bytes) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const std::size_t size = std::max<std::size_t>(bytes / 2 / sizeof(float4), 1);
    const DeviceArray<float4> from(size);
    const DeviceArray<float4> to(size);
    const Stream stream;
    CUDA_CHECK(cudaMemsetAsync(from.data(), 1, size * sizeof(float4), stream.get()));
    stream.synchronize();
    const std::size_t both = 2 * size * sizeof(float4);
    const auto median_ms = [&](auto copy) {
        return measure_in_graph(stream, both, TimeBudget(1000), copy).median;
    };
    constexpr unsigned threads = 256;
    const auto blocks = static_cast<unsigned>((size + threads - 1) / threads);
    const double by_kernel =
        median_ms([&] { launch(copy_kernel, blocks, threads, stream, to.data(), from.data(), size); });
    const double by_driver = median_ms([&] {
        CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), size * sizeof(float4), cudaMemcpyDeviceToDevice,
                                   stream.get()));
    });
    return static_cast<double>(both) / std::min(by_kernel, by_driver) / 1e6;
}

}  // namespace cudabook::texture_unit
