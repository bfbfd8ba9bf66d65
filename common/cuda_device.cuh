// Asks CUDA which devices there are, what a kernel occupies of one, and how fast its memory is.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <utility>
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

/// What a kernel takes of a multiprocessor when it is launched with blocks of `threads_per_block` threads
/// and, beside what it declares, so many bytes of shared memory. The limit is what ends first when blocks are
/// added.
inline Occupancy occupancy_of(const void* kernel, int threads_per_block, int device,
                              std::size_t dynamic_shared_bytes = 0) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    if (dynamic_shared_bytes > 0)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(dynamic_shared_bytes)));
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block,
                                                             dynamic_shared_bytes));
    const int threads = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
    const int shared_bytes = static_cast<int>(attributes.sharedSizeBytes + dynamic_shared_bytes);

    const int shared_of_block =
        shared_bytes + device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    const int warps = (threads_per_block + 31) / 32;
    const int registers_of_warp = (attributes.numRegs * 32 + 255) / 256 * 256;  // handed out by 256
    const std::pair<int, const char*> blocks_until_end[] = {
        {threads / (warps * 32), "threads"},
        {device_attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device) / (registers_of_warp * warps),
         "registers"},
        {device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device) / shared_of_block,
         "shared memory"},
        {device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device), "blocks"}};
    return {100.0 * blocks * threads_per_block / threads, attributes.numRegs, shared_bytes,
            std::ranges::min_element(blocks_until_end, {}, &std::pair<int, const char*>::first)->second};
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
