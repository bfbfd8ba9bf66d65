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

/// Small copies one after the other, so that what the events take does not count.
int copies_at_once(std::size_t bytes) {
    constexpr std::size_t at_once = std::size_t{1} << (gpu_kind == DeviceKind::emulated ? 12U : 26U);
    return static_cast<int>(std::max<std::size_t>(1, at_once / bytes));
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
    const DeviceArray<std::byte> from(bytes);
    const DeviceArray<std::byte> to(bytes);
    const Stream stream;
    CUDA_CHECK(cudaMemsetAsync(from.data(), 1, bytes, stream.get()));
    const int copies = copies_at_once(bytes);
    Stopwatch stopwatch;
    const Measurement time = measure([&] {
        stopwatch.start(stream);
        for (int i = 0; i < copies; ++i)
            CUDA_CHECK(
                cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()));
        return stopwatch.stop(stream);
    });
    return 2 * static_cast<double>(bytes) * copies / time.median / 1e6;
}

}  // namespace cudabook::texture_unit
