#include "occupancy/gpu/calculator.hpp"

#include <optional>

#include "common/cuda/device.cuh"
#include "common/cuda/occupancy.cuh"

namespace cudabook::occupancy {

namespace {

cudaOccDeviceProp properties_of(const GpuModel& gpu) {
    cudaOccDeviceProp properties;
    properties.computeMajor = gpu.major;
    properties.computeMinor = gpu.minor;
    properties.maxThreadsPerBlock = 1024;
    properties.maxThreadsPerMultiprocessor = gpu.threads_per_multiprocessor;
    properties.regsPerBlock = gpu.registers_per_block;
    properties.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
    properties.warpSize = 32;
    properties.numSms = gpu.multiprocessors;
    properties.sharedMemPerBlock = gpu.shared_bytes_per_block;
    properties.sharedMemPerMultiprocessor = gpu.shared_bytes_per_multiprocessor;
    properties.sharedMemPerBlockOptin = gpu.shared_bytes_per_block_optin;
    properties.reservedSharedMemPerBlock = gpu.shared_bytes_reserved_per_block;
    return properties;
}

}  // namespace

Calculate calculator(const GpuModel& gpu) {
    return [properties = properties_of(gpu)](const KernelResources& shape) -> std::optional<Held> {
        cudaFuncAttributes kernel{};
        kernel.maxThreadsPerBlock = properties.maxThreadsPerBlock;
        kernel.numRegs = shape.registers;
        kernel.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
        const auto found = occupancy_of(properties, kernel, shape.threads, shape.shared_bytes);
        if (!found) return std::nullopt;
        const int warps = (shape.threads + 31) / 32;
        return Held{found->blocks, found->blocks * warps, properties.maxThreadsPerMultiprocessor / 32,
                    found->limit};
    };
}

GpuModel model_of(const Device& device) {
    const cudaOccDeviceProp properties = occupancy_properties(device.index);
    return {
        .name = "device",
        .product = device.name,
        .major = properties.computeMajor,
        .minor = properties.computeMinor,
        .multiprocessors = properties.numSms,
        .threads_per_multiprocessor = properties.maxThreadsPerMultiprocessor,
        .blocks_per_multiprocessor = device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device.index),
        .registers_per_block = properties.regsPerBlock,
        .registers_per_multiprocessor = properties.regsPerMultiprocessor,
        .shared_bytes_per_block = properties.sharedMemPerBlock,
        .shared_bytes_per_block_optin = properties.sharedMemPerBlockOptin,
        .shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor,
        .shared_bytes_reserved_per_block = properties.reservedSharedMemPerBlock};
}

}  // namespace cudabook::occupancy
