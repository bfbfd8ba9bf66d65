// Asks CUDA which devices there are and how fast their memory is.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "common/cuda_array.cuh"
#include "common/cuda_error.cuh"
#include "common/cuda_stream.cuh"
#include "common/device.hpp"
#include "common/measurement.hpp"

namespace cudabook {

namespace detail {

/// Runs on a device exactly if this program holds code for it.
__global__ static void probe_kernel() {}

}  // namespace detail

/// The devices that this program has code for, each tried with an empty kernel.
inline CudaDevices cuda_devices() {
    CudaDevices devices;
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        devices.why_none = fmt::format("no CUDA device ({})", cudaGetErrorString(error));
        return devices;
    }
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        cudaFuncAttributes attributes{};
        cudaError_t error = cudaGetDeviceProperties(&properties, index);
        if (error == cudaSuccess) error = cudaSetDevice(index);
        if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, detail::probe_kernel);
        if (error != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            devices.why_none = fmt::format("cuda:{} cannot be used ({})", index, cudaGetErrorString(error));
            continue;
        }
        devices.usable.push_back({DeviceKind::cuda, index, properties.name,
                                  fmt::format("{}.{}", properties.major, properties.minor),
                                  properties.totalGlobalMem, properties.multiProcessorCount});
    }
    return devices;
}

inline int device_attribute(cudaDeviceAttr attribute, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

/// The bandwidth of a copy within the device's memory in GB/s, bytes read and bytes written both counted: the
/// ceiling of every kernel that reads and writes memory once. Arrays of 1 GiB, or an eighth of what is free.
inline double device_copy_gb_per_s(int device) {
    CUDA_CHECK(cudaSetDevice(device));
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const std::size_t bytes = std::min(free_bytes / 8, std::size_t{1} << 30U);
    const DeviceArray<std::byte> from(bytes);
    const DeviceArray<std::byte> to(bytes);
    const Stream stream;
    CUDA_CHECK(cudaMemsetAsync(from.data(), 1, bytes, stream.get()));
    Stopwatch stopwatch;
    const Measurement copy = measure([&] {
        stopwatch.start(stream);
        CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()));
        return stopwatch.stop(stream);
    });
    return 2 * static_cast<double>(bytes) / copy.median / 1e6;
}

}  // namespace cudabook
