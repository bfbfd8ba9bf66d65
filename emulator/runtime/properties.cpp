// The properties and attributes of an emulated GPU, from its published figures.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <random>
#include <string>

#include "emulator/runtime/gpu_state.hpp"

#include "emulator/runtime/device.hpp"

using namespace cudabook;
using namespace cudabook::emulation;

namespace {

/// Returns a UUID that differs between processes, because processes do not share emulated GPUs.
cudaUUID_t uuid_of(int device) {
    static const auto words = [] {
        std::random_device random;
        return std::array{random(), random(), random()};
    }();
    const std::array all{words[0], words[1], words[2], static_cast<unsigned>(device)};
    return std::bit_cast<cudaUUID_t>(all);
}

/// Returns the ratio of a multiprocessor's throughput of float operations to that of double operations.
/// Source: CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions".
int double_ratio(int major, int minor) {
    const bool is_for_data_centres = (major == 8 || major == 9 || major == 10) && minor == 0;
    if (is_for_data_centres) return 2;
    return major == 7 ? 32 : 64;
}

}  // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    const GpuState* const state = gpu_of(device);
    if (state == nullptr) return result(cudaErrorInvalidDevice);
    const EmulatedGpu& gpu = state->gpu;
    const TextureLimits& limits = gpu.textures;
    cudaDeviceProp p{};
    const std::string name = std::string(gpu.product) + " (emulated)";
    std::copy(name.begin(), name.end(), p.name);
    p.uuid = uuid_of(device);
    p.totalGlobalMem = state->memory_bytes;
    p.sharedMemPerBlock = static_cast<std::size_t>(gpu.shared_bytes_per_block);
    p.sharedMemPerBlockOptin = static_cast<std::size_t>(gpu.shared_bytes_per_block_optin);
    p.sharedMemPerMultiprocessor = static_cast<std::size_t>(gpu.shared_bytes_per_multiprocessor);
    p.reservedSharedMemPerBlock = static_cast<std::size_t>(gpu.shared_bytes_reserved_per_block);
    p.regsPerBlock = gpu.registers_per_block;
    p.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
    p.warpSize = 32;
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiProcessor = gpu.threads_per_multiprocessor;
    p.maxBlocksPerMultiProcessor = gpu.blocks_per_multiprocessor;
    std::copy_n(std::array{1024, 1024, 64}.begin(), 3, p.maxThreadsDim);
    std::copy_n(std::array{0x7fffffff, 0xffff, 0xffff}.begin(), 3, p.maxGridSize);
    p.totalConstMem = 65536;
    p.major = gpu.major;
    p.minor = gpu.minor;
    p.multiProcessorCount = gpu.multiprocessors;
    p.canMapHostMemory = 1;
    p.asyncEngineCount = 3;
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = 1;
    p.localL1CacheSupported = 1;
    p.concurrentManagedAccess = 1;
    p.computePreemptionSupported = 1;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    p.deviceNumaId = -1;
    p.hostNumaId = -1;
    if (gpu.major >= 8) {  // by these, programs test whether there are access policy windows
        p.persistingL2CacheMaxSize = gpu.l2_bytes / 4 * 3;
        p.accessPolicyMaxWindowSize = 128 << 20;
    }
    p.pciBusID = device + 1;
    p.concurrentKernels = 1;
    p.cooperativeLaunch = 1;
    p.clusterLaunch = gpu.major >= 9 ? 1 : 0;
    p.unifiedAddressing = 1;
    p.managedMemory = 1;
    p.memoryBusWidth = gpu.memory_bus_bits;
    p.l2CacheSize = gpu.l2_bytes;
    p.textureAlignment = limits.alignment_bytes;
    p.texturePitchAlignment = limits.pitch_alignment_bytes;
    p.surfaceAlignment = limits.surface_alignment_bytes;
    p.maxTexture1D = limits.array_1d;
    p.maxTexture1DMipmap = limits.mipmapped_1d;
    std::ranges::copy(limits.array_2d, p.maxTexture2D);
    std::ranges::copy(limits.mipmapped_2d, p.maxTexture2DMipmap);
    std::ranges::copy(limits.linear_2d, p.maxTexture2DLinear);
    p.maxTexture2DLinear[2] = limits.linear_2d_pitch_bytes;
    std::ranges::copy(limits.gather_2d, p.maxTexture2DGather);
    std::ranges::copy(limits.array_3d, p.maxTexture3D);
    std::ranges::copy(limits.alternate_3d, p.maxTexture3DAlt);
    p.maxTextureCubemap = limits.cubemap;
    std::ranges::copy(limits.layered_1d, p.maxTexture1DLayered);
    std::ranges::copy(limits.layered_2d, p.maxTexture2DLayered);
    std::ranges::copy(limits.layered_cubemap, p.maxTextureCubemapLayered);
    p.maxSurface1D = limits.surface_1d;
    std::ranges::copy(limits.surface_2d, p.maxSurface2D);
    std::ranges::copy(limits.surface_3d, p.maxSurface3D);
    std::ranges::copy(limits.surface_layered_1d, p.maxSurface1DLayered);
    std::ranges::copy(limits.surface_layered_2d, p.maxSurface2DLayered);
    p.maxSurfaceCubemap = limits.surface_cubemap;
    std::ranges::copy(limits.surface_layered_cubemap, p.maxSurfaceCubemapLayered);
    *properties = p;
    return result(cudaSuccess);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    if (device == nullptr || wanted == nullptr) return result(cudaErrorInvalidValue);
    *device = 0;
    const auto count = static_cast<int>(gpu_states().size());
    for (int i = 0; i < count; ++i) {
        const GpuState& state = *gpu_of(i);
        const bool is_new_enough = state.gpu.major > wanted->major ||
                                   (state.gpu.major == wanted->major && state.gpu.minor >= wanted->minor);
        if (!is_new_enough || state.memory_bytes < wanted->totalGlobalMem) continue;
        *device = i;
        break;
    }
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    const GpuState* const state = gpu_of(device);
    if (state == nullptr) return result(cudaErrorInvalidDevice);
    cudaDeviceProp p{};
    if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess) return error;
    const auto value_of = [&]() -> std::optional<int> {
        switch (attribute) {
            case cudaDevAttrMaxThreadsPerBlock:
                return p.maxThreadsPerBlock;
            case cudaDevAttrMaxBlockDimX:
                return p.maxThreadsDim[0];
            case cudaDevAttrMaxBlockDimY:
                return p.maxThreadsDim[1];
            case cudaDevAttrMaxBlockDimZ:
                return p.maxThreadsDim[2];
            case cudaDevAttrMaxGridDimX:
                return p.maxGridSize[0];
            case cudaDevAttrMaxGridDimY:
                return p.maxGridSize[1];
            case cudaDevAttrMaxGridDimZ:
                return p.maxGridSize[2];
            case cudaDevAttrMaxSharedMemoryPerBlock:
                return static_cast<int>(p.sharedMemPerBlock);
            case cudaDevAttrMaxSharedMemoryPerBlockOptin:
                return static_cast<int>(p.sharedMemPerBlockOptin);
            case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
                return static_cast<int>(p.sharedMemPerMultiprocessor);
            case cudaDevAttrReservedSharedMemoryPerBlock:
                return static_cast<int>(p.reservedSharedMemPerBlock);
            case cudaDevAttrTotalConstantMemory:
                return static_cast<int>(p.totalConstMem);
            case cudaDevAttrWarpSize:
                return p.warpSize;
            case cudaDevAttrMaxPitch:
                return static_cast<int>(p.memPitch);
            case cudaDevAttrMaxRegistersPerBlock:
                return p.regsPerBlock;
            case cudaDevAttrMaxRegistersPerMultiprocessor:
                return p.regsPerMultiprocessor;
            case cudaDevAttrClockRate:
                return state->gpu.clock_khz;
            case cudaDevAttrMemoryClockRate:
                return state->gpu.memory_clock_khz;
            case cudaDevAttrGlobalMemoryBusWidth:
                return p.memoryBusWidth;
            case cudaDevAttrL2CacheSize:
                return p.l2CacheSize;
            case cudaDevAttrMultiProcessorCount:
                return p.multiProcessorCount;
            case cudaDevAttrMaxThreadsPerMultiProcessor:
                return p.maxThreadsPerMultiProcessor;
            case cudaDevAttrMaxBlocksPerMultiprocessor:
                return p.maxBlocksPerMultiProcessor;
            case cudaDevAttrComputeCapabilityMajor:
                return p.major;
            case cudaDevAttrComputeCapabilityMinor:
                return p.minor;
            case cudaDevAttrCanMapHostMemory:
                return p.canMapHostMemory;
            case cudaDevAttrConcurrentKernels:
                return p.concurrentKernels;
            case cudaDevAttrUnifiedAddressing:
                return p.unifiedAddressing;
            case cudaDevAttrManagedMemory:
                return p.managedMemory;
            case cudaDevAttrGpuOverlap:
                return 1;
            case cudaDevAttrComputeMode:
                return cudaComputeModeDefault;
            case cudaDevAttrSingleToDoublePrecisionPerfRatio:
                return double_ratio(p.major, p.minor);
            case cudaDevAttrEccEnabled:
                return p.ECCEnabled;
            case cudaDevAttrPciBusId:
                return p.pciBusID;
            case cudaDevAttrPciDeviceId:
                return p.pciDeviceID;
            case cudaDevAttrPciDomainId:
                return p.pciDomainID;
            case cudaDevAttrTccDriver:
                return p.tccDriver;
            case cudaDevAttrAsyncEngineCount:
                return p.asyncEngineCount;
            case cudaDevAttrStreamPrioritiesSupported:
                return p.streamPrioritiesSupported;
            case cudaDevAttrGlobalL1CacheSupported:
                return p.globalL1CacheSupported;
            case cudaDevAttrLocalL1CacheSupported:
                return p.localL1CacheSupported;
            case cudaDevAttrIsMultiGpuBoard:
                return p.isMultiGpuBoard;
            case cudaDevAttrMultiGpuBoardGroupID:
                return p.multiGpuBoardGroupID;
            case cudaDevAttrHostNativeAtomicSupported:
                return p.hostNativeAtomicSupported;
            case cudaDevAttrPageableMemoryAccess:
                return p.pageableMemoryAccess;
            case cudaDevAttrConcurrentManagedAccess:
                return p.concurrentManagedAccess;
            case cudaDevAttrComputePreemptionSupported:
                return p.computePreemptionSupported;
            case cudaDevAttrCanUseHostPointerForRegisteredMem:
                return p.canUseHostPointerForRegisteredMem;
            case cudaDevAttrDirectManagedMemAccessFromHost:
                return p.directManagedMemAccessFromHost;
            case cudaDevAttrKernelExecTimeout:
            case cudaDevAttrIntegrated:
                return 0;
            case cudaDevAttrCooperativeLaunch:
                return p.cooperativeLaunch;
            case cudaDevAttrClusterLaunch:
                return p.clusterLaunch;
            case cudaDevAttrTextureAlignment:
                return static_cast<int>(p.textureAlignment);
            case cudaDevAttrTexturePitchAlignment:
                return static_cast<int>(p.texturePitchAlignment);
            case cudaDevAttrSurfaceAlignment:
                return static_cast<int>(p.surfaceAlignment);
            case cudaDevAttrMaxTexture1DWidth:
                return p.maxTexture1D;
            case cudaDevAttrMaxTexture1DLinearWidth:
                return state->gpu.textures.linear_1d;
            case cudaDevAttrMaxTexture1DMipmappedWidth:
                return p.maxTexture1DMipmap;
            case cudaDevAttrMaxTexture1DLayeredWidth:
                return p.maxTexture1DLayered[0];
            case cudaDevAttrMaxTexture1DLayeredLayers:
                return p.maxTexture1DLayered[1];
            case cudaDevAttrMaxTexture2DWidth:
                return p.maxTexture2D[0];
            case cudaDevAttrMaxTexture2DHeight:
                return p.maxTexture2D[1];
            case cudaDevAttrMaxTexture2DLinearWidth:
                return p.maxTexture2DLinear[0];
            case cudaDevAttrMaxTexture2DLinearHeight:
                return p.maxTexture2DLinear[1];
            case cudaDevAttrMaxTexture2DLinearPitch:
                return p.maxTexture2DLinear[2];
            case cudaDevAttrMaxTexture2DMipmappedWidth:
                return p.maxTexture2DMipmap[0];
            case cudaDevAttrMaxTexture2DMipmappedHeight:
                return p.maxTexture2DMipmap[1];
            case cudaDevAttrMaxTexture2DGatherWidth:
                return p.maxTexture2DGather[0];
            case cudaDevAttrMaxTexture2DGatherHeight:
                return p.maxTexture2DGather[1];
            case cudaDevAttrMaxTexture2DLayeredWidth:
                return p.maxTexture2DLayered[0];
            case cudaDevAttrMaxTexture2DLayeredHeight:
                return p.maxTexture2DLayered[1];
            case cudaDevAttrMaxTexture2DLayeredLayers:
                return p.maxTexture2DLayered[2];
            case cudaDevAttrMaxTexture3DWidth:
                return p.maxTexture3D[0];
            case cudaDevAttrMaxTexture3DHeight:
                return p.maxTexture3D[1];
            case cudaDevAttrMaxTexture3DDepth:
                return p.maxTexture3D[2];
            case cudaDevAttrMaxTexture3DWidthAlt:
                return p.maxTexture3DAlt[0];
            case cudaDevAttrMaxTexture3DHeightAlt:
                return p.maxTexture3DAlt[1];
            case cudaDevAttrMaxTexture3DDepthAlt:
                return p.maxTexture3DAlt[2];
            case cudaDevAttrMaxTextureCubemapWidth:
                return p.maxTextureCubemap;
            case cudaDevAttrMaxTextureCubemapLayeredWidth:
                return p.maxTextureCubemapLayered[0];
            case cudaDevAttrMaxTextureCubemapLayeredLayers:
                return p.maxTextureCubemapLayered[1];
            case cudaDevAttrMaxSurface1DWidth:
                return p.maxSurface1D;
            case cudaDevAttrMaxSurface2DWidth:
                return p.maxSurface2D[0];
            case cudaDevAttrMaxSurface2DHeight:
                return p.maxSurface2D[1];
            case cudaDevAttrMaxSurface3DWidth:
                return p.maxSurface3D[0];
            case cudaDevAttrMaxSurface3DHeight:
                return p.maxSurface3D[1];
            case cudaDevAttrMaxSurface3DDepth:
                return p.maxSurface3D[2];
            case cudaDevAttrMaxSurface1DLayeredWidth:
                return p.maxSurface1DLayered[0];
            case cudaDevAttrMaxSurface1DLayeredLayers:
                return p.maxSurface1DLayered[1];
            case cudaDevAttrMaxSurface2DLayeredWidth:
                return p.maxSurface2DLayered[0];
            case cudaDevAttrMaxSurface2DLayeredHeight:
                return p.maxSurface2DLayered[1];
            case cudaDevAttrMaxSurface2DLayeredLayers:
                return p.maxSurface2DLayered[2];
            case cudaDevAttrMaxSurfaceCubemapWidth:
                return p.maxSurfaceCubemap;
            case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
                return p.maxSurfaceCubemapLayered[0];
            case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
                return p.maxSurfaceCubemapLayered[1];
            case cudaDevAttrHostRegisterSupported:
                return p.hostRegisterSupported;
            case cudaDevAttrMemoryPoolsSupported:
                return p.memoryPoolsSupported;
            case cudaDevAttrMaxPersistingL2CacheSize:
                return p.persistingL2CacheMaxSize;
            case cudaDevAttrMaxAccessPolicyWindowSize:
                return p.accessPolicyMaxWindowSize;
            case cudaDevAttrNumaId:
            case cudaDevAttrHostNumaId:
                return -1;
            case cudaDevAttrMemSyncDomainCount:
                return 1;
            // abilities that the emulated GPU does not have
            case cudaDevAttrCanFlushRemoteWrites:
            case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
            case cudaDevAttrSparseCudaArraySupported:
            case cudaDevAttrHostRegisterReadOnlySupported:
            case cudaDevAttrTimelineSemaphoreInteropSupported:
            case cudaDevAttrGPUDirectRDMASupported:
            case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
            case cudaDevAttrGPUDirectRDMAWritesOrdering:
            case cudaDevAttrMemoryPoolSupportedHandleTypes:
            case cudaDevAttrDeferredMappingCudaArraySupported:
            case cudaDevAttrIpcEventSupport:
            case cudaDevAttrNumaConfig:
            case cudaDevAttrMpsEnabled:
            case cudaDevAttrD3D12CigSupported:
            case cudaDevAttrVulkanCigSupported:
            case cudaDevAttrGpuPciDeviceId:
            case cudaDevAttrGpuPciSubsystemId:
            case cudaDevAttrHostNumaMemoryPoolsSupported:
            case cudaDevAttrHostNumaMultinodeIpcSupported:
            case cudaDevAttrHostMemoryPoolsSupported:
            case cudaDevAttrOnlyPartialHostNativeAtomicSupported:
                return 0;
        }
        return std::nullopt;
    };
    const std::optional<int> found = value_of();
    if (!found) return result(cudaErrorInvalidValue);
    *value = *found;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
    if (id == nullptr || length <= 0) return result(cudaErrorInvalidValue);
    cudaDeviceProp p{};
    if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess) return error;
    const int size = std::snprintf(id, static_cast<std::size_t>(length), "%04x:%02x:%02x.0",
                                   static_cast<unsigned>(p.pciDomainID), static_cast<unsigned>(p.pciBusID),
                                   static_cast<unsigned>(p.pciDeviceID));
    return result(size < length ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
    if (device == nullptr || id == nullptr) return result(cudaErrorInvalidValue);
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3) {
        domain = 0;
        if (std::sscanf(id, "%x:%x", &bus, &slot) != 2) return result(cudaErrorInvalidValue);
    }
    const auto count = static_cast<int>(gpu_states().size());
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp p{};
        if (const cudaError_t error = cudaGetDeviceProperties(&p, i); error != cudaSuccess) return error;
        if (p.pciDomainID != static_cast<int>(domain) || p.pciBusID != static_cast<int>(bus) ||
            p.pciDeviceID != static_cast<int>(slot))
            continue;
        *device = i;
        return result(cudaSuccess);
    }
    return result(cudaErrorInvalidDevice);
}
