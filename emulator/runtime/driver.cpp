// The calls of the driver API that correspond to calls of the runtime API.
#include <cuda.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/engine/launch.hpp"
#include "emulator/runtime/contexts.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/stream.hpp"

using namespace cudabook::emulation;

namespace {

/// Calls the runtime API without changing its last error. Errors: CUDA_ERROR_NOT_INITIALIZED.
template <class Call>
CUresult initialized(const Call& call) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    const KeepLastError keep;
    return driver_error(call());
}

/// Does what initialized() does, for a call that needs a context.
template <class Call>
CUresult in_context(const Call& call) {
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    return initialized(call);
}

// NOLINTBEGIN(performance-no-int-to-ptr): CUdeviceptr is an address
void* host_pointer(CUdeviceptr memory) { return reinterpret_cast<void*>(memory); }
// NOLINTEND(performance-no-int-to-ptr)
CUdeviceptr device_pointer(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

constexpr std::array error_names{
    std::pair{CUDA_SUCCESS, "CUDA_SUCCESS"},
    std::pair{CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
    std::pair{CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
    std::pair{CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
    std::pair{CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED"},
    std::pair{CUDA_ERROR_PROFILER_DISABLED, "CUDA_ERROR_PROFILER_DISABLED"},
    std::pair{CUDA_ERROR_PROFILER_NOT_INITIALIZED, "CUDA_ERROR_PROFILER_NOT_INITIALIZED"},
    std::pair{CUDA_ERROR_PROFILER_ALREADY_STARTED, "CUDA_ERROR_PROFILER_ALREADY_STARTED"},
    std::pair{CUDA_ERROR_PROFILER_ALREADY_STOPPED, "CUDA_ERROR_PROFILER_ALREADY_STOPPED"},
    std::pair{CUDA_ERROR_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY"},
    std::pair{CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER"},
    std::pair{CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    std::pair{CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
    std::pair{CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
    std::pair{CUDA_ERROR_DEVICE_NOT_LICENSED, "CUDA_ERROR_DEVICE_NOT_LICENSED"},
    std::pair{CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE"},
    std::pair{CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
    std::pair{CUDA_ERROR_CONTEXT_ALREADY_CURRENT, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT"},
    std::pair{CUDA_ERROR_MAP_FAILED, "CUDA_ERROR_MAP_FAILED"},
    std::pair{CUDA_ERROR_UNMAP_FAILED, "CUDA_ERROR_UNMAP_FAILED"},
    std::pair{CUDA_ERROR_ARRAY_IS_MAPPED, "CUDA_ERROR_ARRAY_IS_MAPPED"},
    std::pair{CUDA_ERROR_ALREADY_MAPPED, "CUDA_ERROR_ALREADY_MAPPED"},
    std::pair{CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    std::pair{CUDA_ERROR_ALREADY_ACQUIRED, "CUDA_ERROR_ALREADY_ACQUIRED"},
    std::pair{CUDA_ERROR_NOT_MAPPED, "CUDA_ERROR_NOT_MAPPED"},
    std::pair{CUDA_ERROR_NOT_MAPPED_AS_ARRAY, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY"},
    std::pair{CUDA_ERROR_NOT_MAPPED_AS_POINTER, "CUDA_ERROR_NOT_MAPPED_AS_POINTER"},
    std::pair{CUDA_ERROR_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    std::pair{CUDA_ERROR_UNSUPPORTED_LIMIT, "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    std::pair{CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE"},
    std::pair{CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"},
    std::pair{CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX"},
    std::pair{CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT"},
    std::pair{CUDA_ERROR_NVLINK_UNCORRECTABLE, "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
    std::pair{CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},
    std::pair{CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    std::pair{CUDA_ERROR_JIT_COMPILATION_DISABLED, "CUDA_ERROR_JIT_COMPILATION_DISABLED"},
    std::pair{CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY"},
    std::pair{CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC"},
    std::pair{CUDA_ERROR_CONTAINED, "CUDA_ERROR_CONTAINED"},
    std::pair{CUDA_ERROR_INVALID_SOURCE, "CUDA_ERROR_INVALID_SOURCE"},
    std::pair{CUDA_ERROR_FILE_NOT_FOUND, "CUDA_ERROR_FILE_NOT_FOUND"},
    std::pair{CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"},
    std::pair{CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"},
    std::pair{CUDA_ERROR_OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM"},
    std::pair{CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
    std::pair{CUDA_ERROR_ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE"},
    std::pair{CUDA_ERROR_LOSSY_QUERY, "CUDA_ERROR_LOSSY_QUERY"},
    std::pair{CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
    std::pair{CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY"},
    std::pair{CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    std::pair{CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    std::pair{CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    std::pair{CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING"},
    std::pair{CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
    std::pair{CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"},
    std::pair{CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"},
    std::pair{CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
    std::pair{CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT"},
    std::pair{CUDA_ERROR_TOO_MANY_PEERS, "CUDA_ERROR_TOO_MANY_PEERS"},
    std::pair{CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    std::pair{CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    std::pair{CUDA_ERROR_HARDWARE_STACK_ERROR, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
    std::pair{CUDA_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    std::pair{CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    std::pair{CUDA_ERROR_INVALID_ADDRESS_SPACE, "CUDA_ERROR_INVALID_ADDRESS_SPACE"},
    std::pair{CUDA_ERROR_INVALID_PC, "CUDA_ERROR_INVALID_PC"},
    std::pair{CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
    std::pair{CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    std::pair{CUDA_ERROR_TENSOR_MEMORY_LEAK, "CUDA_ERROR_TENSOR_MEMORY_LEAK"},
    std::pair{CUDA_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED"},
    std::pair{CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED"},
    std::pair{CUDA_ERROR_SYSTEM_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY"},
    std::pair{CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    std::pair{CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
    std::pair{CUDA_ERROR_MPS_CONNECTION_FAILED, "CUDA_ERROR_MPS_CONNECTION_FAILED"},
    std::pair{CUDA_ERROR_MPS_RPC_FAILURE, "CUDA_ERROR_MPS_RPC_FAILURE"},
    std::pair{CUDA_ERROR_MPS_SERVER_NOT_READY, "CUDA_ERROR_MPS_SERVER_NOT_READY"},
    std::pair{CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED"},
    std::pair{CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED"},
    std::pair{CUDA_ERROR_MPS_CLIENT_TERMINATED, "CUDA_ERROR_MPS_CLIENT_TERMINATED"},
    std::pair{CUDA_ERROR_CDP_NOT_SUPPORTED, "CUDA_ERROR_CDP_NOT_SUPPORTED"},
    std::pair{CUDA_ERROR_CDP_VERSION_MISMATCH, "CUDA_ERROR_CDP_VERSION_MISMATCH"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_MERGE, "CUDA_ERROR_STREAM_CAPTURE_MERGE"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
    std::pair{CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT"},
    std::pair{CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"},
    std::pair{CUDA_ERROR_TIMEOUT, "CUDA_ERROR_TIMEOUT"},
    std::pair{CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"},
    std::pair{CUDA_ERROR_EXTERNAL_DEVICE, "CUDA_ERROR_EXTERNAL_DEVICE"},
    std::pair{CUDA_ERROR_INVALID_CLUSTER_SIZE, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
    std::pair{CUDA_ERROR_FUNCTION_NOT_LOADED, "CUDA_ERROR_FUNCTION_NOT_LOADED"},
    std::pair{CUDA_ERROR_INVALID_RESOURCE_TYPE, "CUDA_ERROR_INVALID_RESOURCE_TYPE"},
    std::pair{CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION"},
    std::pair{CUDA_ERROR_KEY_ROTATION, "CUDA_ERROR_KEY_ROTATION"},
    std::pair{CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"},
};

const char* name_of_result(CUresult error) {
    const auto* const found =
        std::ranges::find_if(error_names, [error](const auto& entry) { return entry.first == error; });
    return found == error_names.end() ? nullptr : found->second;
}

}  // namespace

CUresult cudabook::emulation::driver_error(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidDeviceFunction:
            return CUDA_ERROR_INVALID_HANDLE;
        case cudaErrorInvalidSymbol:
            return CUDA_ERROR_NOT_FOUND;
        default: {
            const auto same = static_cast<CUresult>(error);  // most errors have one number in both APIs
            return name_of_result(same) == nullptr ? CUDA_ERROR_INVALID_VALUE : same;
        }
    }
}

// ----- Errors, and the driver

CUresult cuGetErrorName(CUresult error, const char** name) {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    note_asked_for(static_cast<cudaError_t>(error));
    *name = name_of_result(error);
    return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *text = nullptr;
    if (name_of_result(error) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return gpu_states().empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
    return version == nullptr ? CUDA_ERROR_INVALID_VALUE : driver_error(cudaDriverGetVersion(version));
}

// ----- Devices

CUresult cuDeviceGet(CUdevice* device, int number) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (gpu_of(number) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(gpu_states().size());
    return CUDA_SUCCESS;
}

namespace {

/// Calls use(properties) with the device's properties.
template <class Use>
CUresult with_properties(CUdevice device, const void* to, const Use& use) {
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaDeviceProp properties{};
    const CUresult error = initialized([&] { return cudaGetDeviceProperties(&properties, device); });
    if (error == CUDA_SUCCESS) use(properties);
    return error;
}

}  // namespace

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    if (length <= 0) return CUDA_ERROR_INVALID_VALUE;
    return with_properties(device, name, [&](const cudaDeviceProp& properties) {
        const std::string_view whole = properties.name;
        name[whole.copy(name, static_cast<std::size_t>(length) - 1)] = '\0';
    });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return with_properties(device, uuid, [&](const cudaDeviceProp& properties) { *uuid = properties.uuid; });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    return with_properties(device, bytes,
                           [&](const cudaDeviceProp& properties) { *bytes = properties.totalGlobalMem; });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    if (minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return with_properties(device, major, [&](const cudaDeviceProp& properties) {
        *major = properties.major;
        *minor = properties.minor;
    });
}

// The runtime API has most attributes, with the same numbers.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (gpu_of(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER:
        case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
            *value = 1;
            return CUDA_SUCCESS;
        // abilities that the emulated GPU does not have
        case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
        case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
        case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
        case CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
        case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
        case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS:
        case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK:
        case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH:
        case CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED:
            *value = 0;
            return CUDA_SUCCESS;
        default:
            return initialized([&] {
                return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
            });
    }
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
    return initialized([&] { return cudaDeviceGetPCIBusId(id, length, device); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
    return initialized([&] { return cudaDeviceGetByPCIBusId(device, id); });
}
CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
    return initialized([&] { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice device,
                                 CUdevice peer) {
    return initialized([&] { return cudaDeviceGetP2PAttribute(value, attribute, device, peer); });
}

// ----- Contexts

CUresult cuCtxSynchronize() {
    return in_context([&] { return cudaDeviceSynchronize(); });
}
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
    return in_context([&] { return cudaDeviceSetLimit(limit, value); });
}
CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
    return in_context([&] { return cudaDeviceGetLimit(value, limit); });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    return in_context([&] { return cudaDeviceSetCacheConfig(config); });
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
    return in_context([&] { return cudaDeviceGetCacheConfig(config); });
}
CUresult cuCtxGetStreamPriorityRange(int* lowest, int* highest) {
    int ignored = 0;
    return in_context([&] {
        return cudaDeviceGetStreamPriorityRange(lowest == nullptr ? &ignored : lowest,
                                                highest == nullptr ? &ignored : highest);
    });
}

// ----- Memory

namespace {

/// Allocates memory that the current context owns. allocate(&memory) calls the runtime API.
template <class Allocate>
CUresult allocate_owned(CUdeviceptr* memory, std::size_t bytes, const Allocate& allocate) {
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    if (memory == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    void* allocated = nullptr;
    const CUresult error = in_context([&] { return allocate(&allocated); });
    if (error != CUDA_SUCCESS) return error;
    *memory = device_pointer(allocated);
    own_memory(*memory);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    if (free_bytes == nullptr || total_bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return in_context([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

CUresult cuMemAlloc(CUdeviceptr* memory, std::size_t bytes) {
    return allocate_owned(memory, bytes, [&](void** allocated) { return cudaMalloc(allocated, bytes); });
}

CUresult cuMemAllocPitch(CUdeviceptr* memory, std::size_t* pitch, std::size_t width_bytes, std::size_t height,
                         unsigned element_bytes) {
    if (pitch == nullptr || (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
        return CUDA_ERROR_INVALID_VALUE;
    return allocate_owned(memory, std::min(width_bytes, height), [&](void** allocated) {
        return cudaMallocPitch(allocated, pitch, width_bytes, height);
    });
}

CUresult cuMemAllocManaged(CUdeviceptr* memory, std::size_t bytes, unsigned flags) {
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
    return allocate_owned(memory, bytes,
                          [&](void** allocated) { return cudaMallocManaged(allocated, bytes, flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr* memory, std::size_t bytes, CUstream stream) {
    if (memory == nullptr) return CUDA_ERROR_INVALID_VALUE;
    void* allocated = nullptr;
    const CUresult error = in_context([&] { return cudaMallocAsync(&allocated, bytes, stream); });
    if (error == CUDA_SUCCESS) *memory = device_pointer(allocated);
    return error;
}

CUresult cuMemFree(CUdeviceptr memory) {
    disown_memory(memory);
    return in_context([&] { return cudaFree(host_pointer(memory)); });
}

CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
    return in_context([&] { return cudaFreeAsync(host_pointer(memory), stream); });
}

namespace {

/// Returns the begin and the size of the memory that contains this address; {0, 0} if CUDA does not know it.
std::pair<std::uintptr_t, std::size_t> range_of(CUdeviceptr memory) {
    for (const auto& range : allocations_known_to_cuda())
        if (memory >= range.first && memory - range.first < range.second) return range;
    return {};
}

}  // namespace

CUresult cuMemGetAddressRange(CUdeviceptr* begin, std::size_t* bytes, CUdeviceptr memory) {
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    const auto [first, size] = range_of(memory);
    if (size == 0) return CUDA_ERROR_NOT_FOUND;
    if (begin != nullptr) *begin = first;
    if (bytes != nullptr) *bytes = size;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void** memory, std::size_t bytes) {
    return in_context([&] { return cudaMallocHost(memory, bytes); });
}
CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
    return in_context([&] { return cudaHostAlloc(memory, bytes, flags); });
}
CUresult cuMemFreeHost(void* memory) {
    return in_context([&] { return cudaFreeHost(memory); });
}
CUresult cuMemHostRegister(void* memory, std::size_t bytes, unsigned flags) {
    return in_context([&] { return cudaHostRegister(memory, bytes, flags); });
}
CUresult cuMemHostUnregister(void* memory) {
    return in_context([&] { return cudaHostUnregister(memory); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    void* found = nullptr;
    const CUresult error = in_context([&] { return cudaHostGetDevicePointer(&found, host, flags); });
    if (error == CUDA_SUCCESS) *device = device_pointer(found);
    return error;
}

CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
    return in_context([&] { return cudaHostGetFlags(flags, host); });
}

namespace {

template <class T>
void put(void* to, const T& value) {
    std::memcpy(to, &value, sizeof value);
}

/// Writes the attribute of memory that CUDA knows. Errors: CUDA_ERROR_INVALID_VALUE, also for memory that has
/// no such attribute.
CUresult get_attribute(void* to, CUpointer_attribute attribute, const cudaPointerAttributes& found,
                       CUdeviceptr memory) {
    const auto& [begin, bytes] = range_of(memory);
    const bool is_managed = found.type == cudaMemoryTypeManaged;
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            put(to, owner_of(begin, found.device));
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            put(to, static_cast<unsigned>(found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST
                                                                           : CU_MEMORYTYPE_DEVICE));
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            put(to, memory);
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (found.hostPointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
            put(to, found.hostPointer);
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            put(to, static_cast<unsigned>(is_managed));
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            put(to, found.device);
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            put(to, CUdeviceptr{begin});
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            put(to, bytes);
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_MAPPED:
            put(to, true);
            return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/// Returns the bytes of an attribute's value; 0 if there is no such attribute.
std::size_t bytes_of(CUpointer_attribute attribute) {
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            return sizeof(unsigned);
        case CU_POINTER_ATTRIBUTE_MAPPED:
            return sizeof(bool);
        case CU_POINTER_ATTRIBUTE_CONTEXT:
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            return sizeof(void*);
    }
    return 0;
}

}  // namespace

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr memory) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaPointerAttributes found{};
    const CUresult error =
        initialized([&] { return cudaPointerGetAttributes(&found, host_pointer(memory)); });
    if (error != CUDA_SUCCESS) return error;
    if (found.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
    return get_attribute(value, attribute, found, memory);
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr memory) {
    if (count == 0 || attributes == nullptr || values == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaPointerAttributes found{};
    const CUresult error =
        initialized([&] { return cudaPointerGetAttributes(&found, host_pointer(memory)); });
    if (error != CUDA_SUCCESS) return error;
    for (unsigned i = 0; i < count; ++i) {
        const std::size_t bytes = bytes_of(attributes[i]);
        if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
        std::memset(values[i], 0, bytes);
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) put(values[i], CU_DEVICE_INVALID);
        if (found.type != cudaMemoryTypeUnregistered)
            static_cast<void>(get_attribute(values[i], attributes[i], found, memory));
    }
    return CUDA_SUCCESS;
}

// ----- Copies

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return in_context(
        [&] { return cudaMemcpy(host_pointer(to), host_pointer(from), bytes, cudaMemcpyDefault); });
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return in_context([&] {
        return cudaMemcpyAsync(host_pointer(to), host_pointer(from), bytes, cudaMemcpyDefault, stream);
    });
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
    return in_context([&] { return cudaMemcpy(host_pointer(to), from, bytes, cudaMemcpyHostToDevice); });
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
    return in_context(
        [&] { return cudaMemcpyAsync(host_pointer(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
    return in_context([&] { return cudaMemcpy(to, host_pointer(from), bytes, cudaMemcpyDeviceToHost); });
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return in_context(
        [&] { return cudaMemcpyAsync(to, host_pointer(from), bytes, cudaMemcpyDeviceToHost, stream); });
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return in_context(
        [&] { return cudaMemcpy(host_pointer(to), host_pointer(from), bytes, cudaMemcpyDeviceToDevice); });
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return in_context([&] {
        return cudaMemcpyAsync(host_pointer(to), host_pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
    });
}

namespace {

/// The source or the target of a copy of rows.
struct RowsEnd {
    CUmemorytype type;
    CUdeviceptr memory;
    std::size_t x_bytes, y, pitch;

    /// A pitch of 0 means rows without gaps.
    [[nodiscard]] std::size_t pitch_for(std::size_t width_bytes) const {
        return pitch == 0 ? width_bytes : pitch;
    }
    [[nodiscard]] void* first(std::size_t width_bytes) const {
        return host_pointer(memory + y * pitch_for(width_bytes) + x_bytes);
    }
    [[nodiscard]] bool is_on_host() const { return type == CU_MEMORYTYPE_HOST; }
};

cudaMemcpyKind kind_of(const RowsEnd& to, const RowsEnd& from) {
    if (to.type == CU_MEMORYTYPE_UNIFIED || from.type == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
    if (from.is_on_host()) return to.is_on_host() ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to.is_on_host() ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

/// Calls copy(to, to_pitch, from, from_pitch, width, height, kind), which calls the runtime API.
template <class Copy>
CUresult copy_rows(const CUDA_MEMCPY2D* rows, const Copy& copy) {
    if (rows == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY2D& p = *rows;
    if (p.dstMemoryType == CU_MEMORYTYPE_ARRAY || p.srcMemoryType == CU_MEMORYTYPE_ARRAY)
        return CUDA_ERROR_NOT_SUPPORTED;
    const RowsEnd to{p.dstMemoryType,
                     p.dstMemoryType == CU_MEMORYTYPE_HOST ? device_pointer(p.dstHost) : p.dstDevice,
                     p.dstXInBytes, p.dstY, p.dstPitch};
    const RowsEnd from{p.srcMemoryType,
                       p.srcMemoryType == CU_MEMORYTYPE_HOST ? device_pointer(p.srcHost) : p.srcDevice,
                       p.srcXInBytes, p.srcY, p.srcPitch};
    const std::size_t width = p.WidthInBytes;
    return in_context([&] {
        return copy(to.first(width), to.pitch_for(width), from.first(width), from.pitch_for(width), width,
                    p.Height, kind_of(to, from));
    });
}

}  // namespace

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
    return copy_rows(copy, [](auto... arguments) { return cudaMemcpy2D(arguments...); });
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) { return cuMemcpy2D(copy); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
    return copy_rows(copy, [&](auto... arguments) { return cudaMemcpy2DAsync(arguments..., stream); });
}

// ----- Fills

namespace {

/// Fills rows of elements of the value's type. If `waits` is true, the call waits for the fill, and is
/// refused while this thread captures.
template <class Value>
CUresult fill(CUdeviceptr memory, std::size_t pitch, Value value, std::size_t width, std::size_t height,
              CUstream stream, bool waits) {
    if (memory % sizeof value != 0 || (height > 1 && pitch % sizeof value != 0))
        return CUDA_ERROR_INVALID_VALUE;
    return in_context([&] {
        if (waits)
            if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
        if (width == 0 || height == 0) return result(cudaSuccess);
        Task task;
        const cudaMemsetParams parameters{host_pointer(memory), pitch, value, sizeof value, width, height};
        const cudaError_t error = make_memset_task(task, parameters);
        if (error != cudaSuccess) return error;
        const cudaError_t enqueued = enqueue(stream, std::move(task));
        const bool is_of_gpu = memory_type(parameters.dst) == cudaMemoryTypeDevice;
        return waits && !is_of_gpu ? when_done(enqueued, stream) : enqueued;
    });
}

}  // namespace

CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, std::size_t count) {
    return fill(memory, 0, value, count, 1, nullptr, true);
}
CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char value, std::size_t count, CUstream stream) {
    return fill(memory, 0, value, count, 1, stream, false);
}
CUresult cuMemsetD2D8(CUdeviceptr memory, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height) {
    return fill(memory, pitch, value, width, height, nullptr, true);
}
CUresult cuMemsetD2D8Async(CUdeviceptr memory, std::size_t pitch, unsigned char value, std::size_t width,
                           std::size_t height, CUstream stream) {
    return fill(memory, pitch, value, width, height, stream, false);
}
CUresult cuMemsetD16(CUdeviceptr memory, unsigned short value, std::size_t count) {
    return fill(memory, 0, value, count, 1, nullptr, true);
}
CUresult cuMemsetD16Async(CUdeviceptr memory, unsigned short value, std::size_t count, CUstream stream) {
    return fill(memory, 0, value, count, 1, stream, false);
}
CUresult cuMemsetD2D16(CUdeviceptr memory, std::size_t pitch, unsigned short value, std::size_t width,
                       std::size_t height) {
    return fill(memory, pitch, value, width, height, nullptr, true);
}
CUresult cuMemsetD2D16Async(CUdeviceptr memory, std::size_t pitch, unsigned short value, std::size_t width,
                            std::size_t height, CUstream stream) {
    return fill(memory, pitch, value, width, height, stream, false);
}
CUresult cuMemsetD32(CUdeviceptr memory, unsigned value, std::size_t count) {
    return fill(memory, 0, value, count, 1, nullptr, true);
}
CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value, std::size_t count, CUstream stream) {
    return fill(memory, 0, value, count, 1, stream, false);
}
CUresult cuMemsetD2D32(CUdeviceptr memory, std::size_t pitch, unsigned value, std::size_t width,
                       std::size_t height) {
    return fill(memory, pitch, value, width, height, nullptr, true);
}
CUresult cuMemsetD2D32Async(CUdeviceptr memory, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream stream) {
    return fill(memory, pitch, value, width, height, stream, false);
}

// ----- Arrays

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};
    unsigned flags = 0;
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const KeepLastError keep;
    if (cudaArrayGetInfo(&format, &extent, &flags, reinterpret_cast<cudaArray_t>(array)) != cudaSuccess)
        return CUDA_ERROR_INVALID_HANDLE;
    const int of_size = format.x == 8 ? 0 : format.x == 16 ? 1 : 2;
    const int code = format.f == cudaChannelFormatKindFloat
                         ? (format.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT)
                     : format.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 + of_size
                                                               : CU_AD_FORMAT_UNSIGNED_INT8 + of_size;
    const int channels = (format.x != 0) + (format.y != 0) + (format.z != 0) + (format.w != 0);
    *descriptor = {extent.width,
                   extent.height,
                   extent.depth,
                   static_cast<CUarray_format>(code),
                   static_cast<unsigned>(channels),
                   flags};
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR found{};
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = cuArray3DGetDescriptor(&found, array); error != CUDA_SUCCESS) return error;
    *descriptor = {found.Width, found.Height, found.Format, found.NumChannels};
    return CUDA_SUCCESS;
}

// ----- Streams and events

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
    return in_context([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
    return in_context([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
    return in_context([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
    return in_context([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
    return in_context([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    return in_context([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
    return in_context([&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
    return in_context([&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
    return in_context([&] { return cudaLaunchHostFunc(stream, function, data); });
}
CUresult cuEventCreate(CUevent* event, unsigned flags) {
    return in_context([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    return in_context([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventQuery(CUevent event) {
    return in_context([&] { return cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
    return in_context([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
    return in_context([&] { return cudaEventElapsedTime(ms, start, end); });
}
CUresult cuEventDestroy(CUevent event) {
    return in_context([&] { return cudaEventDestroy(event); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
    if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    struct Call {
        CUstreamCallback callback;
        void* data;
    };
    auto* const call = new Call{callback, data};  // the callback of the runtime API deletes it
    const auto run = [](cudaStream_t of, cudaError_t status, void* owned) {
        const Call copy = *static_cast<Call*>(owned);
        delete static_cast<Call*>(owned);
        copy.callback(of, driver_error(status), copy.data);
    };
    const CUresult error = in_context([&] { return cudaStreamAddCallback(stream, run, call, flags); });
    if (error != CUDA_SUCCESS) delete call;
    return error;
}

// ----- Kernels

namespace {

const void* kernel_of(CUfunction function) { return reinterpret_cast<const void*>(function); }

CUresult launch_function(const cudaLaunchConfig_t& config, CUfunction function, void** arguments,
                         void** extra) {
    if (extra != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return in_context([&] { return launch_by_address(config, kernel_of(function), arguments); });
}

}  // namespace

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* kernel) {
    if (function == nullptr) return result(cudaErrorInvalidValue);
    if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
    *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(kernel));
    return result(cudaSuccess);
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaFuncAttributes found{};
    const CUresult error = in_context([&] { return cudaFuncGetAttributes(&found, kernel_of(function)); });
    if (error != CUDA_SUCCESS) return error;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            *value = found.maxThreadsPerBlock;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            *value = static_cast<int>(found.sharedSizeBytes);
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            *value = static_cast<int>(found.constSizeBytes);
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            *value = static_cast<int>(found.localSizeBytes);
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            *value = found.numRegs;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            *value = found.ptxVersion;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            *value = found.binaryVersion;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            *value = found.cacheModeCA;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            *value = found.maxDynamicSharedSizeBytes;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            *value = found.preferredShmemCarveout;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
            *value = found.clusterDimMustBeSet;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
            *value = found.requiredClusterWidth;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
            *value = found.requiredClusterHeight;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            *value = found.requiredClusterDepth;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            *value = found.nonPortableClusterSizeAllowed;
            return CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            *value = found.clusterSchedulingPolicyPreference;
            return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// The attributes that can be set have the same numbers in the runtime API.
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    return in_context([&] {
        return cudaFuncSetAttribute(kernel_of(function), static_cast<cudaFuncAttribute>(attribute), value);
    });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    return in_context([&] { return cudaFuncSetCacheConfig(kernel_of(function), config); });
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
    return initialized([&] { return cudaFuncGetName(name, kernel_of(function)); });
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared_bytes,
                        CUstream stream, void** arguments, void** extra) {
    return launch_function({dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z),
                            dynamic_shared_bytes, stream, nullptr, 0},
                           function, arguments, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs > 0))
        return CUDA_ERROR_INVALID_VALUE;
    std::vector<cudaLaunchAttribute> attributes;
    for (unsigned i = 0; i < config->numAttrs; ++i)
        attributes.push_back({config->attrs[i].id, config->attrs[i].value});
    return launch_function({dim3(config->gridDimX, config->gridDimY, config->gridDimZ),
                            dim3(config->blockDimX, config->blockDimY, config->blockDimZ),
                            config->sharedMemBytes, config->hStream, attributes.data(), config->numAttrs},
                           function, arguments, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z,
                                   unsigned dynamic_shared_bytes, CUstream stream, void** arguments) {
    cudaLaunchAttribute attribute = cooperative();
    return launch_function({dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z),
                            dynamic_shared_bytes, stream, &attribute, 1},
                           function, arguments, nullptr);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t dynamic_shared_bytes) {
    return in_context([&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_of(function), threads,
                                                             dynamic_shared_bytes);
    });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              std::size_t dynamic_shared_bytes,
                                                              unsigned flags) {
    return in_context([&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel_of(function), threads,
                                                                      dynamic_shared_bytes, flags);
    });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* blocks, int* threads, CUfunction function,
                                          CUoccupancyB2DSize bytes_of, std::size_t dynamic_shared_bytes,
                                          int most_threads) {
    if (blocks == nullptr || threads == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto bytes_for = [](int of, const void* asked) {
        return (*static_cast<const CUoccupancyB2DSize*>(asked))(of);
    };
    return in_context([&] {
        return bytes_of == nullptr
                   ? best_block(blocks, threads, kernel_of(function), dynamic_shared_bytes, most_threads)
                   : best_block(blocks, threads, kernel_of(function), bytes_for, &bytes_of, most_threads);
    });
}

// ----- Entry points

namespace {

const void* entry_point(std::string_view name) {
    using Create = CUresult (*)(CUcontext*, CUctxCreateParams*, unsigned, CUdevice);
    static const std::map<std::string_view, const void*> all{
        {"cuCtxCreate", reinterpret_cast<const void*>(static_cast<Create>(cuCtxCreate))},
        {"cuArray3DGetDescriptor", reinterpret_cast<const void*>(cuArray3DGetDescriptor)},
        {"cuArrayGetDescriptor", reinterpret_cast<const void*>(cuArrayGetDescriptor)},
        {"cuCtxDestroy", reinterpret_cast<const void*>(cuCtxDestroy)},
        {"cuCtxDisablePeerAccess", reinterpret_cast<const void*>(cuCtxDisablePeerAccess)},
        {"cuCtxEnablePeerAccess", reinterpret_cast<const void*>(cuCtxEnablePeerAccess)},
        {"cuCtxGetApiVersion", reinterpret_cast<const void*>(cuCtxGetApiVersion)},
        {"cuCtxGetCacheConfig", reinterpret_cast<const void*>(cuCtxGetCacheConfig)},
        {"cuCtxGetCurrent", reinterpret_cast<const void*>(cuCtxGetCurrent)},
        {"cuCtxGetDevice", reinterpret_cast<const void*>(cuCtxGetDevice)},
        {"cuCtxGetFlags", reinterpret_cast<const void*>(cuCtxGetFlags)},
        {"cuCtxGetLimit", reinterpret_cast<const void*>(cuCtxGetLimit)},
        {"cuCtxGetStreamPriorityRange", reinterpret_cast<const void*>(cuCtxGetStreamPriorityRange)},
        {"cuCtxPopCurrent", reinterpret_cast<const void*>(cuCtxPopCurrent)},
        {"cuCtxPushCurrent", reinterpret_cast<const void*>(cuCtxPushCurrent)},
        {"cuCtxSetCacheConfig", reinterpret_cast<const void*>(cuCtxSetCacheConfig)},
        {"cuCtxSetCurrent", reinterpret_cast<const void*>(cuCtxSetCurrent)},
        {"cuCtxSetLimit", reinterpret_cast<const void*>(cuCtxSetLimit)},
        {"cuCtxSynchronize", reinterpret_cast<const void*>(cuCtxSynchronize)},
        {"cuDeviceCanAccessPeer", reinterpret_cast<const void*>(cuDeviceCanAccessPeer)},
        {"cuDeviceComputeCapability", reinterpret_cast<const void*>(cuDeviceComputeCapability)},
        {"cuDeviceGet", reinterpret_cast<const void*>(cuDeviceGet)},
        {"cuDeviceGetAttribute", reinterpret_cast<const void*>(cuDeviceGetAttribute)},
        {"cuDeviceGetByPCIBusId", reinterpret_cast<const void*>(cuDeviceGetByPCIBusId)},
        {"cuDeviceGetCount", reinterpret_cast<const void*>(cuDeviceGetCount)},
        {"cuDeviceGetName", reinterpret_cast<const void*>(cuDeviceGetName)},
        {"cuDeviceGetP2PAttribute", reinterpret_cast<const void*>(cuDeviceGetP2PAttribute)},
        {"cuDeviceGetPCIBusId", reinterpret_cast<const void*>(cuDeviceGetPCIBusId)},
        {"cuDeviceGetUuid", reinterpret_cast<const void*>(cuDeviceGetUuid)},
        {"cuDevicePrimaryCtxGetState", reinterpret_cast<const void*>(cuDevicePrimaryCtxGetState)},
        {"cuDevicePrimaryCtxRelease", reinterpret_cast<const void*>(cuDevicePrimaryCtxRelease)},
        {"cuDevicePrimaryCtxReset", reinterpret_cast<const void*>(cuDevicePrimaryCtxReset)},
        {"cuDevicePrimaryCtxRetain", reinterpret_cast<const void*>(cuDevicePrimaryCtxRetain)},
        {"cuDevicePrimaryCtxSetFlags", reinterpret_cast<const void*>(cuDevicePrimaryCtxSetFlags)},
        {"cuDeviceTotalMem", reinterpret_cast<const void*>(cuDeviceTotalMem)},
        {"cuDriverGetVersion", reinterpret_cast<const void*>(cuDriverGetVersion)},
        {"cuEventCreate", reinterpret_cast<const void*>(cuEventCreate)},
        {"cuEventDestroy", reinterpret_cast<const void*>(cuEventDestroy)},
        {"cuEventElapsedTime", reinterpret_cast<const void*>(cuEventElapsedTime)},
        {"cuEventQuery", reinterpret_cast<const void*>(cuEventQuery)},
        {"cuEventRecord", reinterpret_cast<const void*>(cuEventRecord)},
        {"cuEventSynchronize", reinterpret_cast<const void*>(cuEventSynchronize)},
        {"cuFuncGetAttribute", reinterpret_cast<const void*>(cuFuncGetAttribute)},
        {"cuFuncGetName", reinterpret_cast<const void*>(cuFuncGetName)},
        {"cuFuncSetAttribute", reinterpret_cast<const void*>(cuFuncSetAttribute)},
        {"cuFuncSetCacheConfig", reinterpret_cast<const void*>(cuFuncSetCacheConfig)},
        {"cuGetErrorName", reinterpret_cast<const void*>(cuGetErrorName)},
        {"cuGetErrorString", reinterpret_cast<const void*>(cuGetErrorString)},
        {"cuGetProcAddress", reinterpret_cast<const void*>(cuGetProcAddress)},
        {"cuInit", reinterpret_cast<const void*>(cuInit)},
        {"cuLaunchCooperativeKernel", reinterpret_cast<const void*>(cuLaunchCooperativeKernel)},
        {"cuLaunchHostFunc", reinterpret_cast<const void*>(cuLaunchHostFunc)},
        {"cuLaunchKernel", reinterpret_cast<const void*>(cuLaunchKernel)},
        {"cuLaunchKernelEx", reinterpret_cast<const void*>(cuLaunchKernelEx)},
        {"cuMemAddressFree", reinterpret_cast<const void*>(cuMemAddressFree)},
        {"cuMemAddressReserve", reinterpret_cast<const void*>(cuMemAddressReserve)},
        {"cuMemAlloc", reinterpret_cast<const void*>(cuMemAlloc)},
        {"cuMemAllocAsync", reinterpret_cast<const void*>(cuMemAllocAsync)},
        {"cuMemAllocHost", reinterpret_cast<const void*>(cuMemAllocHost)},
        {"cuMemAllocManaged", reinterpret_cast<const void*>(cuMemAllocManaged)},
        {"cuMemAllocPitch", reinterpret_cast<const void*>(cuMemAllocPitch)},
        {"cuMemCreate", reinterpret_cast<const void*>(cuMemCreate)},
        {"cuMemFree", reinterpret_cast<const void*>(cuMemFree)},
        {"cuMemFreeAsync", reinterpret_cast<const void*>(cuMemFreeAsync)},
        {"cuMemFreeHost", reinterpret_cast<const void*>(cuMemFreeHost)},
        {"cuMemGetAddressRange", reinterpret_cast<const void*>(cuMemGetAddressRange)},
        {"cuMemGetAllocationGranularity", reinterpret_cast<const void*>(cuMemGetAllocationGranularity)},
        {"cuMemGetAllocationPropertiesFromHandle",
         reinterpret_cast<const void*>(cuMemGetAllocationPropertiesFromHandle)},
        {"cuMemGetInfo", reinterpret_cast<const void*>(cuMemGetInfo)},
        {"cuMemHostAlloc", reinterpret_cast<const void*>(cuMemHostAlloc)},
        {"cuMemHostGetDevicePointer", reinterpret_cast<const void*>(cuMemHostGetDevicePointer)},
        {"cuMemHostGetFlags", reinterpret_cast<const void*>(cuMemHostGetFlags)},
        {"cuMemHostRegister", reinterpret_cast<const void*>(cuMemHostRegister)},
        {"cuMemHostUnregister", reinterpret_cast<const void*>(cuMemHostUnregister)},
        {"cuMemMap", reinterpret_cast<const void*>(cuMemMap)},
        {"cuMemRelease", reinterpret_cast<const void*>(cuMemRelease)},
        {"cuMemSetAccess", reinterpret_cast<const void*>(cuMemSetAccess)},
        {"cuMemUnmap", reinterpret_cast<const void*>(cuMemUnmap)},
        {"cuMemcpy", reinterpret_cast<const void*>(cuMemcpy)},
        {"cuMemcpy2D", reinterpret_cast<const void*>(cuMemcpy2D)},
        {"cuMemcpy2DAsync", reinterpret_cast<const void*>(cuMemcpy2DAsync)},
        {"cuMemcpy2DUnaligned", reinterpret_cast<const void*>(cuMemcpy2DUnaligned)},
        {"cuMemcpyAsync", reinterpret_cast<const void*>(cuMemcpyAsync)},
        {"cuMemcpyDtoD", reinterpret_cast<const void*>(cuMemcpyDtoD)},
        {"cuMemcpyDtoDAsync", reinterpret_cast<const void*>(cuMemcpyDtoDAsync)},
        {"cuMemcpyDtoH", reinterpret_cast<const void*>(cuMemcpyDtoH)},
        {"cuMemcpyDtoHAsync", reinterpret_cast<const void*>(cuMemcpyDtoHAsync)},
        {"cuMemcpyHtoD", reinterpret_cast<const void*>(cuMemcpyHtoD)},
        {"cuMemcpyHtoDAsync", reinterpret_cast<const void*>(cuMemcpyHtoDAsync)},
        {"cuMemcpyPeer", reinterpret_cast<const void*>(cuMemcpyPeer)},
        {"cuMemcpyPeerAsync", reinterpret_cast<const void*>(cuMemcpyPeerAsync)},
        {"cuMemsetD16", reinterpret_cast<const void*>(cuMemsetD16)},
        {"cuMemsetD16Async", reinterpret_cast<const void*>(cuMemsetD16Async)},
        {"cuMemsetD2D16", reinterpret_cast<const void*>(cuMemsetD2D16)},
        {"cuMemsetD2D16Async", reinterpret_cast<const void*>(cuMemsetD2D16Async)},
        {"cuMemsetD2D32", reinterpret_cast<const void*>(cuMemsetD2D32)},
        {"cuMemsetD2D32Async", reinterpret_cast<const void*>(cuMemsetD2D32Async)},
        {"cuMemsetD2D8", reinterpret_cast<const void*>(cuMemsetD2D8)},
        {"cuMemsetD2D8Async", reinterpret_cast<const void*>(cuMemsetD2D8Async)},
        {"cuMemsetD32", reinterpret_cast<const void*>(cuMemsetD32)},
        {"cuMemsetD32Async", reinterpret_cast<const void*>(cuMemsetD32Async)},
        {"cuMemsetD8", reinterpret_cast<const void*>(cuMemsetD8)},
        {"cuMemsetD8Async", reinterpret_cast<const void*>(cuMemsetD8Async)},
        {"cuOccupancyMaxActiveBlocksPerMultiprocessor",
         reinterpret_cast<const void*>(cuOccupancyMaxActiveBlocksPerMultiprocessor)},
        {"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
         reinterpret_cast<const void*>(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)},
        {"cuOccupancyMaxPotentialBlockSize", reinterpret_cast<const void*>(cuOccupancyMaxPotentialBlockSize)},
        {"cuPointerGetAttribute", reinterpret_cast<const void*>(cuPointerGetAttribute)},
        {"cuPointerGetAttributes", reinterpret_cast<const void*>(cuPointerGetAttributes)},
        {"cuStreamAddCallback", reinterpret_cast<const void*>(cuStreamAddCallback)},
        {"cuStreamCreate", reinterpret_cast<const void*>(cuStreamCreate)},
        {"cuStreamCreateWithPriority", reinterpret_cast<const void*>(cuStreamCreateWithPriority)},
        {"cuStreamDestroy", reinterpret_cast<const void*>(cuStreamDestroy)},
        {"cuStreamGetFlags", reinterpret_cast<const void*>(cuStreamGetFlags)},
        {"cuStreamGetPriority", reinterpret_cast<const void*>(cuStreamGetPriority)},
        {"cuStreamQuery", reinterpret_cast<const void*>(cuStreamQuery)},
        {"cuStreamSynchronize", reinterpret_cast<const void*>(cuStreamSynchronize)},
        {"cuStreamWaitEvent", reinterpret_cast<const void*>(cuStreamWaitEvent)},
    };
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}

}  // namespace

CUresult cuGetProcAddress(const char* symbol, void** function, int /*version*/, cuuint64_t /*flags*/,
                          CUdriverProcAddressQueryResult* found) {
    if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = const_cast<void*>(entry_point(symbol));
    if (found != nullptr)
        *found = *function == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS;
    return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long /*flags*/,
                                    cudaDriverEntryPointQueryResult* found) {
    if (symbol == nullptr || function == nullptr) return result(cudaErrorInvalidValue);
    *function = const_cast<void*>(entry_point(symbol));
    if (found != nullptr)
        *found = *function == nullptr ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
    if (*function != nullptr) return result(cudaSuccess);
    return refuse(cudaErrorNotSupported, std::string(symbol) + "() of the driver API needs real CUDA");
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned /*version*/,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
    return cudaGetDriverEntryPoint(symbol, function, flags, found);
}
