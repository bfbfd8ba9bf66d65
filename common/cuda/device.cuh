// The CUDA devices of this machine: which of them this program can use, and how fast their memory is.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/error.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/stream.cuh"
#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook {

namespace detail {

/// A kernel that can be loaded on a device only if this program has code for that device.
__global__ static void probe_kernel() {}

inline std::string hex_of(const cudaUUID_t& uuid) {
    std::string hex;
    for (const char byte : uuid.bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return hex;
}

}  // namespace detail

/// Makes the device current and loads this program on it. Returns why the device cannot be used, or an empty
/// string if it can.
inline std::string why_unusable(const Device& device) {
    cudaError_t error = cudaSetDevice(device.index);
    if (error == cudaSuccess) {
        cudaFuncAttributes attributes{};
        error = cudaFuncGetAttributes(&attributes, detail::probe_kernel);
        if (error == cudaSuccess) return {};
        static_cast<void>(cudaDeviceReset());  // frees the context of a device that cannot be used
    }
    static_cast<void>(cudaGetLastError());
    return cudaGetErrorString(error);
}

/// All devices and their properties. Creates no context.
inline CudaDevices cuda_devices() {
    CudaDevices devices;
    devices.why_unusable = why_unusable;
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        devices.why_none = fmt::format("no CUDA device ({})", cudaGetErrorString(error));
        return devices;
    }
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        if (const cudaError_t error = cudaGetDeviceProperties(&properties, index); error != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            devices.why_none = fmt::format("cuda:{} cannot be used ({})", index, cudaGetErrorString(error));
            continue;
        }
        devices.all.push_back(
            {gpu_kind, index, properties.name, fmt::format("{}.{}", properties.major, properties.minor),
             properties.totalGlobalMem, properties.multiProcessorCount, detail::hex_of(properties.uuid)});
    }
    return devices;
}

inline int device_attribute(cudaDeviceAttr attribute, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

/// The bandwidth of a device-to-device copy in GB/s, counting bytes read and bytes written: the ceiling for
/// every kernel that reads and writes memory once. Copies 1 GiB (on an emulated GPU 64 MiB), or an eighth of
/// the free memory if that is less.
inline double device_copy_gb_per_s(int device) {
    CUDA_CHECK(cudaSetDevice(device));
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    constexpr std::size_t most = std::size_t{1} << (gpu_kind == DeviceKind::emulated ? 26U : 30U);
    const std::size_t bytes = std::min(free_bytes / 8, most);
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

/// The average time in ms of a copy of `bytes` to page-locked host memory, in a series of 20 copies.
inline double device_to_host_ms(int device, std::size_t bytes) {
    CUDA_CHECK(cudaSetDevice(device));
    const DeviceArray<std::byte> from(bytes);
    const PinnedArray<std::byte> to(bytes);
    const Stream stream;
    CUDA_CHECK(cudaMemsetAsync(from.data(), 1, bytes, stream.get()));
    Stopwatch stopwatch;
    constexpr int copies = 20;
    const Measurement time = measure([&] {
        stopwatch.start(stream);
        for (int i = 0; i < copies; ++i)
            CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToHost, stream.get()));
        return stopwatch.stop(stream) / copies;
    });
    return time.median;
}

}  // namespace cudabook
