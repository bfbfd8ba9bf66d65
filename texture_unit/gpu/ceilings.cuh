// The highest rates of a GPU's memory and texture units. device.cuh measures the rate of a large copy.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/error.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/measure_in_graph.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook {

namespace detail {

/// The simplest copy: a thread for each of `size` elements.
__global__ inline void copy_kernel(float4* to, const float4* from, std::size_t size) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < size) to[i] = from[i];
}

constexpr int fetched_side = 32;  ///< the width and height of fetch_kernel's texture in texels; 4 KB in all
constexpr int fetches_of_a_thread = 256;

/// Fetches texels as fast as possible. All threads walk over the same few texels, which each multiprocessor
/// keeps in its cache. A warp fetches 8 x 4 neighbouring texels at a time.
__global__ inline void fetch_kernel(float* out, cudaTextureObject_t texture) {
    const auto lane = static_cast<int>(threadIdx.x % 32);
    const float x = static_cast<float>(lane % 8) + 0.75F;
    float y = static_cast<float>(lane / 8) + 0.75F;
    float sum = 0;
#pragma unroll 16
    for (int i = 0; i < fetches_of_a_thread; ++i) {
        sum += tex2D<float>(texture, x, y);
        y += 1.0F / 16;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace detail

/// Returns the rate in GB/s of a copy on the device that reads and writes `bytes` bytes in all. Measures a
/// copy by a kernel and a copy by the driver, and returns the higher rate. This function is for small sizes,
/// for which cudaMemcpy() is not the fastest copy. Errors: MachineError.
inline double copy_gb_per_s(const Device& device, std::size_t bytes) {
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
    const double by_kernel = median_ms(
        [&] { launch<detail::copy_kernel>(blocks, threads, stream, to.data(), from.data(), size); });
    const double by_driver = median_ms([&] {
        CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), size * sizeof(float4), cudaMemcpyDeviceToDevice,
                                   stream.get()));
    });
    return static_cast<double>(both) / std::min(by_kernel, by_driver) / 1e6;
}

/// Returns the rate at which the texture units fetch floats from their caches with this filter, in 10^9
/// fetches per second. Errors: MachineError.
inline double gfetches_per_s(const Device& device, cudaTextureFilterMode filter) {
    CUDA_CHECK(cudaSetDevice(device.index));
    constexpr auto side = static_cast<std::size_t>(detail::fetched_side);
    const CudaArray array(std::vector<float>(side * side, 1), make_cudaExtent(side, side, 0));
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
        launch<detail::fetch_kernel>(blocks, threads, stream, out.data(), object.handle());
        return stopwatch.stop(stream);
    });
    return static_cast<double>(out.size()) * detail::fetches_of_a_thread / time.median / 1e6;
}

}  // namespace cudabook
