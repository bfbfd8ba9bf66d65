// The driver API's virtual memory. A piece of memory is a file without a name, which can be mapped at
// reserved addresses. It does not count as used memory in cudaMemGetInfo().
#include <cuda.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "emulator/runtime/contexts.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/peers.hpp"
#include "emulator/runtime/pending_work.hpp"

using namespace cudabook::emulation;

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20U;

bool is_size(std::size_t bytes) { return bytes > 0 && bytes % granularity == 0; }

// NOLINTBEGIN(performance-no-int-to-ptr): CUdeviceptr is an address
void* place(CUdeviceptr at) { return reinterpret_cast<void*>(at); }
// NOLINTEND(performance-no-int-to-ptr)

struct Memory {
    int file;
    std::size_t bytes;
    CUmemAllocationProp properties;

    Memory(int made, std::size_t size, const CUmemAllocationProp& of)
        : file(made), bytes(size), properties(of) {}
    ~Memory() { close(file); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
};

struct Mapping {
    std::size_t bytes;
    std::shared_ptr<const Memory> memory;
    bool is_accessible = false;
};

struct VirtualMemory {
    std::mutex mutex;
    std::map<CUmemGenericAllocationHandle, std::shared_ptr<const Memory>> handles;
    CUmemGenericAllocationHandle last = 0;
    std::map<CUdeviceptr, std::size_t> reserved;
    std::map<CUdeviceptr, Mapping> mapped;

    /// Returns the range of the mappings that together fill exactly these addresses; an empty range if
    /// there are none.
    auto mappings(CUdeviceptr begin, std::size_t bytes) {
        const auto first = mapped.find(begin);
        auto after = first;
        while (after != mapped.end() && after->first == begin && bytes >= after->second.bytes && bytes > 0) {
            begin += after->second.bytes;
            bytes -= after->second.bytes;
            ++after;
        }
        return std::pair(first, bytes == 0 ? after : first);
    }

    /// Tells CUDA's other calls which memory may be used. Adjacent mappings are one piece of memory.
    void tell() {
        for (const auto& [begin, mapping] : mapped) forget(place(begin));
        for (auto first = mapped.begin(); first != mapped.end();) {
            std::size_t bytes = 0;
            auto after = first;
            for (;
                 after != mapped.end() && after->second.is_accessible && after->first == first->first + bytes;
                 ++after)
                bytes += after->second.bytes;
            if (bytes > 0) make_known(place(first->first), bytes);
            first = after == first ? std::next(first) : after;
        }
    }
};

VirtualMemory& virtual_memory() {
    static auto* const made = new VirtualMemory;  // lasts until the process ends, as the memory
    return *made;
}

bool hide(CUdeviceptr begin, std::size_t bytes) {
    return mmap(place(begin), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                0) != MAP_FAILED;
}

CUresult why_not_created(const CUmemAllocationProp* properties) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (properties == nullptr || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return CUDA_ERROR_NOT_SUPPORTED;
    return gpu_of(properties->location.id) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags /*option*/) {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = why_not_created(properties); error != CUDA_SUCCESS) return error;
    *bytes = granularity;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
    if (const CUresult error = why_not_created(properties); error != CUDA_SUCCESS) return error;
    if (handle == nullptr || !is_size(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    {
        const CurrentGpu current(*gpu_of(properties->location.id));
        const KeepLastError keep;
        if (const cudaError_t error = cudaMemGetInfo(&free_bytes, &total_bytes); error != cudaSuccess)
            return driver_error(error);
    }
    if (bytes > free_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
    const int file = memfd_create("cudabook", MFD_CLOEXEC);
    if (file == -1) return CUDA_ERROR_OUT_OF_MEMORY;
    auto memory = std::make_shared<Memory>(file, bytes, *properties);
    memory->properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
    const std::lock_guard lock(virtual_memory().mutex);
    *handle = ++virtual_memory().last;
    virtual_memory().handles[*handle] = std::move(memory);
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    const std::lock_guard lock(virtual_memory().mutex);
    return virtual_memory().handles.erase(handle) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
    if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(virtual_memory().mutex);
    const auto found = virtual_memory().handles.find(handle);
    if (found == virtual_memory().handles.end()) return CUDA_ERROR_INVALID_VALUE;
    *properties = found->second->properties;
    return CUDA_SUCCESS;
}

// The wanted address is only a hint, which has no effect here.
CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment,
                             CUdeviceptr /*wanted*/, unsigned long long flags) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (address == nullptr || !is_size(bytes) || flags != 0 || (alignment & (alignment - 1)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    alignment = std::max(alignment, granularity);
    std::size_t with_margin = 0;
    if (__builtin_add_overflow(bytes, alignment, &with_margin)) return CUDA_ERROR_OUT_OF_MEMORY;
    void* const reserved =
        mmap(nullptr, with_margin, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    const auto begin = reinterpret_cast<CUdeviceptr>(reserved);
    *address = (begin + alignment - 1) / alignment * alignment;
    if (*address > begin) munmap(reserved, *address - begin);
    munmap(place(*address + bytes), begin + with_margin - *address - bytes);
    const std::lock_guard lock(virtual_memory().mutex);
    virtual_memory().reserved[*address] = bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
    const std::lock_guard lock(virtual_memory().mutex);
    const auto found = virtual_memory().reserved.find(address);
    if (found == virtual_memory().reserved.end() || found->second != bytes) return CUDA_ERROR_INVALID_VALUE;
    const auto mapping = virtual_memory().mapped.lower_bound(address);
    if (mapping != virtual_memory().mapped.end() && mapping->first < address + bytes)
        return CUDA_ERROR_INVALID_VALUE;
    munmap(place(address), bytes);
    virtual_memory().reserved.erase(found);
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
    const std::lock_guard lock(virtual_memory().mutex);
    const auto memory = virtual_memory().handles.find(handle);
    const auto after = virtual_memory().reserved.upper_bound(address);
    if (memory == virtual_memory().handles.end() || after == virtual_memory().reserved.begin() ||
        flags != 0 || !is_size(bytes) || address % granularity != 0 || offset != 0 ||
        bytes != memory->second->bytes)
        return CUDA_ERROR_INVALID_VALUE;
    const auto& [begin, size] = *std::prev(after);
    if (address - begin > size || bytes > size - (address - begin)) return CUDA_ERROR_INVALID_VALUE;
    const auto behind = virtual_memory().mapped.lower_bound(address + bytes);
    if (behind != virtual_memory().mapped.begin() &&
        std::prev(behind)->first + std::prev(behind)->second.bytes > address)
        return CUDA_ERROR_INVALID_VALUE;
    if (mmap(place(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->second->file, 0) == MAP_FAILED)
        return CUDA_ERROR_MAP_FAILED;
    virtual_memory().mapped[address] = {bytes, memory->second};
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
    finish_all();
    const std::lock_guard lock(virtual_memory().mutex);
    const auto [first, after] = virtual_memory().mappings(address, bytes);
    if (first == after) return CUDA_ERROR_INVALID_VALUE;
    if (!hide(address, bytes)) return CUDA_ERROR_UNMAP_FAILED;
    for (auto mapping = first; mapping != after; ++mapping) forget(place(mapping->first));
    virtual_memory().mapped.erase(first, after);
    virtual_memory().tell();
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access,
                        std::size_t count) {
    if (access == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    finish_all();
    const std::lock_guard lock(virtual_memory().mutex);
    const auto [first, after] = virtual_memory().mappings(address, bytes);
    if (first == after) return CUDA_ERROR_INVALID_VALUE;
    int flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    for (std::size_t i = 0; i < count; ++i) {
        const GpuState* const gpu = gpu_of(access[i].location.id);
        if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || gpu == nullptr)
            return CUDA_ERROR_INVALID_DEVICE;
        for (auto mapping = first; mapping != after; ++mapping) {
            const GpuState* const owner = gpu_of(mapping->second.memory->properties.location.id);
            if (owner != gpu && !can_be_peers(*gpu, *owner)) return CUDA_ERROR_INVALID_DEVICE;
        }
        flags |= access[i].flags;
    }
    const int read = flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ? PROT_NONE : PROT_READ;
    const int write = flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_WRITE : PROT_NONE;
    if (mprotect(place(address), bytes, read | write) != 0) return CUDA_ERROR_UNKNOWN;
    for (auto mapping = first; mapping != after; ++mapping)
        mapping->second.is_accessible = flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    virtual_memory().tell();
    return CUDA_SUCCESS;
}
