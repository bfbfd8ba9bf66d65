// The occupancy of a kernel and what limits it, from the toolkit's own calculator (cuda_occupancy.h), which
// knows the GPUs that existed when the toolkit was released.
#pragma once

#include <cuda_occupancy.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "common/cuda/device.cuh"
#include "common/cuda/error.cuh"
#include "common/program/measurement.hpp"

namespace cudabook {

/// The occupancy of a kernel with these attributes on this GPU, for blocks of `threads_per_block` threads and
/// `dynamic_shared_bytes` of dynamic shared memory. 0 percent means that this launch is not possible. Returns
/// nullopt if the toolkit's occupancy calculator does not know the GPU, because the GPU is newer.
inline std::optional<Occupancy> occupancy_of(const cudaOccDeviceProp& device, cudaFuncAttributes attributes,
                                             int threads_per_block, std::size_t dynamic_shared_bytes) {
    // launch_with_shared() raises the kernel's limit if the launch needs more dynamic shared memory.
    attributes.maxDynamicSharedSizeBytes =
        std::max(attributes.maxDynamicSharedSizeBytes, static_cast<int>(dynamic_shared_bytes));
    const cudaOccFuncAttributes kernel(attributes);
    cudaOccDeviceState state;
    state.carveoutConfig = attributes.preferredShmemCarveout;
    cudaOccResult result{};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads_per_block,
                                                dynamic_shared_bytes) != CUDA_OCC_SUCCESS)
        return std::nullopt;

    std::string limits;
    for (const auto& [factor, name] :
         {std::pair(OCC_LIMIT_WARPS, "threads"), std::pair(OCC_LIMIT_REGISTERS, "registers"),
          std::pair(OCC_LIMIT_SHARED_MEMORY, "shared memory"), std::pair(OCC_LIMIT_BLOCKS, "blocks")})
        if ((result.limitingFactors & factor) != 0) limits.append(limits.empty() ? "" : ", ").append(name);
    return Occupancy{
        100.0 * result.activeBlocksPerMultiprocessor * threads_per_block / device.maxThreadsPerMultiprocessor,
        attributes.numRegs, static_cast<int>(attributes.sharedSizeBytes + dynamic_shared_bytes), limits,
        result.activeBlocksPerMultiprocessor};
}

/// The occupancy calculator's description of a device. Queries each attribute by itself, because
/// cudaGetDeviceProperties(), which returns all these values, takes milliseconds.
inline cudaOccDeviceProp occupancy_properties(int device) {
    const auto bytes = [device](cudaDeviceAttr attribute) {
        return static_cast<std::size_t>(device_attribute(attribute, device));
    };
    cudaOccDeviceProp properties;
    properties.computeMajor = device_attribute(cudaDevAttrComputeCapabilityMajor, device);
    properties.computeMinor = device_attribute(cudaDevAttrComputeCapabilityMinor, device);
    properties.maxThreadsPerBlock = device_attribute(cudaDevAttrMaxThreadsPerBlock, device);
    properties.maxThreadsPerMultiprocessor = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
    properties.regsPerBlock = device_attribute(cudaDevAttrMaxRegistersPerBlock, device);
    properties.regsPerMultiprocessor = device_attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device);
    properties.warpSize = device_attribute(cudaDevAttrWarpSize, device);
    properties.numSms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    properties.sharedMemPerBlock = bytes(cudaDevAttrMaxSharedMemoryPerBlock);
    properties.sharedMemPerMultiprocessor = bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    properties.sharedMemPerBlockOptin = bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    properties.reservedSharedMemPerBlock = bytes(cudaDevAttrReservedSharedMemoryPerBlock);
    return properties;
}

/// A kernel of this program, as it was launched.
struct LaunchedKernel {
    const void* function = nullptr;
    int threads = 0;               ///< threads per block
    std::size_t shared_bytes = 0;  ///< dynamic shared memory
};

/// The occupancy of a launched kernel on `device`, which must be current. Errors: CudaError.
inline std::optional<Occupancy> occupancy_of(const LaunchedKernel& kernel, int device) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel.function));
    return occupancy_of(occupancy_properties(device), attributes, kernel.threads, kernel.shared_bytes);
}

}  // namespace cudabook
