#include "emulator/runtime/pools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/checks/stream_races.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/graph_memory.hpp"
#include "emulator/runtime/peers.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/runtime/stream.hpp"

struct CUmemPoolHandle_st {
    int device;
    bool is_default;
    std::size_t most_bytes = 0;  ///< 0: as many bytes as the GPU has
    std::uint64_t threshold = 0;
    std::map<cudaMemPoolAttr, int> reuse = {};  ///< attributes without effect, which are stored
    std::uint64_t used = 0;
    std::uint64_t most_used = 0;
    std::uint64_t reserved = 0;
    std::uint64_t most_reserved = 0;
    std::map<int, cudaMemAccessFlags> access = {};  ///< the access of other GPUs

    [[nodiscard]] cudaMemAccessFlags access_of(int of_device) const {
        if (of_device == device) return cudaMemAccessFlagsProtReadWrite;
        const auto found = access.find(of_device);
        return found == access.end() ? cudaMemAccessFlagsProtNone : found->second;
    }

    void set_used(std::uint64_t bytes) {
        used = bytes;
        // Free memory stays reserved, up to the threshold.
        reserved = std::max(used, std::min(reserved, threshold));
        most_used = std::max(most_used, used);
        most_reserved = std::max(most_reserved, reserved);
    }
};

namespace cudabook::emulation {

namespace {

using Pool = std::shared_ptr<CUmemPoolHandle_st>;

/// The pools of all GPUs, and the pool of each allocation.
struct Pools {
    std::mutex mutex;
    std::vector<Pool> all;
    std::vector<Pool> defaults;  ///< for each GPU
    std::vector<Pool> current;   ///< for each GPU
    std::map<const void*, std::pair<Pool, std::size_t>> allocations;

    Pools() {
        for (int device = 0; device < static_cast<int>(gpu_states().size()); ++device) {
            all.push_back(std::make_shared<CUmemPoolHandle_st>(CUmemPoolHandle_st{device, true}));
            defaults.push_back(all.back());
            current.push_back(all.back());
        }
    }

    /// Returns null if there is no such pool.
    Pool find(cudaMemPool_t handle) {
        const auto found =
            std::ranges::find_if(all, [handle](const Pool& pool) { return pool.get() == handle; });
        return found == all.end() ? nullptr : *found;
    }
};

Pools& pools() {
    static Pools made;
    return made;
}

bool is_device(int device) { return device >= 0 && device < static_cast<int>(gpu_states().size()); }

cudaError_t no_sharing() {
    return refuse(cudaErrorNotSupported,
                  "processes cannot share an emulated GPU's memory: copy it through the host");
}

cudaError_t allocate(void** memory, std::size_t bytes, const Pool& pool, cudaStream_t stream) {
    if (memory == nullptr) return result(cudaErrorInvalidValue);
    if (is_captured(stream)) {
        Task task;
        if (const cudaError_t error = make_allocation_task(task, bytes, memory); error != cudaSuccess)
            return error;
        return enqueue(stream, std::move(task));
    }
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    const std::lock_guard lock(pools().mutex);
    if (pool->most_bytes == 0 || pool->used + bytes <= pool->most_bytes)
        *memory = allocate_on_gpu(bytes, HostAccess::none);
    if (*memory == nullptr) return result(cudaErrorMemoryAllocation);
    pools().allocations[*memory] = {pool, bytes};
    pool->set_used(pool->used + bytes);
    return cudaSuccess;
}

}  // namespace

void free_in_pool(void* memory) {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().allocations.find(memory);
    if (found == pools().allocations.end()) return;
    const auto& [pool, bytes] = found->second;
    pool->set_used(pool->used - bytes);
    pools().allocations.erase(found);
}

std::optional<bool> pool_is_accessible(const void* memory, int device) {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().allocations.find(memory);
    if (found == pools().allocations.end()) return std::nullopt;
    return found->second.first->access_of(device) != cudaMemAccessFlagsProtNone;
}

void destroy_pools_of(const GpuState& gpu) {
    const std::lock_guard lock(pools().mutex);
    const auto is_of_gpu = [&gpu](const Pool& pool) {
        return gpu_states()[static_cast<std::size_t>(pool->device)].get() == &gpu;
    };
    std::erase_if(pools().allocations,
                  [&](const auto& allocation) { return is_of_gpu(allocation.second.first); });
    std::erase_if(pools().all, [&](const Pool& pool) { return is_of_gpu(pool) && !pool->is_default; });
    for (std::size_t device = 0; device < pools().defaults.size(); ++device) {
        Pool& pool = pools().defaults[device];
        if (!is_of_gpu(pool)) continue;
        *pool = {pool->device, true};
        pools().current[device] = pool;
    }
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream) {
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
    return allocate(memory, bytes, pools().current[static_cast<std::size_t>(device)], stream);
}

cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t handle,
                                    cudaStream_t stream) {
    const auto pool = pools().find(handle);
    if (pool == nullptr) return result(cudaErrorInvalidValue);
    return allocate(memory, bytes, pool, stream);
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
    Task task;
    if (!is_captured(stream)) {
#if CUDABOOK_THREAD_SANITIZER  // work of other streams, which may still use the memory, races with a write
        if (place_on_gpu(memory)) {
            const auto write = [memory, bytes = bytes_left_at(memory)] {
                if (watched_work != nullptr) see_in_watched_work(AccessKind::write, memory, bytes, nullptr);
            };
            task = {cudaGraphNodeTypeMemFree, write};
            if (const cudaError_t error = enqueue(stream, std::move(task)); error != cudaSuccess)
                return error;
        }
#endif
        return cudaFree(memory);
    }
    if (const cudaError_t error = make_free_task(task, memory); error != cudaSuccess) return error;
    return enqueue(stream, std::move(task));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
    if (handle == nullptr || properties == nullptr) return result(cudaErrorInvalidValue);
    if (properties->handleTypes != cudaMemHandleTypeNone) return no_sharing();
    if (properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice)
        return refuse(cudaErrorNotSupported, "the emulated GPU has pools of a GPU's memory only");
    if (!is_device(properties->location.id)) return result(cudaErrorInvalidDevice);
    const std::lock_guard lock(pools().mutex);
    pools().all.push_back(std::make_shared<CUmemPoolHandle_st>(
        CUmemPoolHandle_st{properties->location.id, false, properties->maxSize}));
    *handle = pools().all.back().get();
    return result(cudaSuccess);
}

// Memory that was allocated from the pool stays allocated until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr || pool->is_default) return result(cudaErrorInvalidValue);
    const auto device = static_cast<std::size_t>(pool->device);
    if (pools().current[device] == pool) pools().current[device] = pools().defaults[device];
    std::erase(pools().all, pool);
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* handle, int device) {
    if (handle == nullptr) return result(cudaErrorInvalidValue);
    if (!is_device(device)) return result(cudaErrorInvalidDevice);
    *handle = pools().defaults[static_cast<std::size_t>(device)].get();
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* handle, int device) {
    if (handle == nullptr) return result(cudaErrorInvalidValue);
    if (!is_device(device)) return result(cudaErrorInvalidDevice);
    const std::lock_guard lock(pools().mutex);
    *handle = pools().current[static_cast<std::size_t>(device)].get();
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
    if (!is_device(device)) return result(cudaErrorInvalidDevice);
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr || pool->device != device) return result(cudaErrorInvalidValue);
    pools().current[static_cast<std::size_t>(device)] = pool;
    return result(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t least_bytes) {
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr) return result(cudaErrorInvalidValue);
    pool->reserved = std::max(pool->used, std::min<std::uint64_t>(pool->reserved, least_bytes));
    return result(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr || value == nullptr) return result(cudaErrorInvalidValue);
    const auto number = [value] { return *static_cast<std::uint64_t*>(value); };
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            pool->reuse[attribute] = *static_cast<int*>(value);
            return result(cudaSuccess);
        case cudaMemPoolAttrReleaseThreshold:
            pool->threshold = number();
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemHigh:  // this and the other highest value can only be set to 0
            if (number() != 0) break;
            pool->most_reserved = pool->reserved;
            return result(cudaSuccess);
        case cudaMemPoolAttrUsedMemHigh:
            if (number() != 0) break;
            pool->most_used = pool->used;
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemCurrent:
        case cudaMemPoolAttrUsedMemCurrent:
            break;
    }
    return result(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr || value == nullptr) return result(cudaErrorInvalidValue);
    auto& number = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies: {
            const auto found = pool->reuse.find(attribute);
            *static_cast<int*>(value) = found == pool->reuse.end() ? 1 : found->second;
            return result(cudaSuccess);
        }
        case cudaMemPoolAttrReleaseThreshold:
            number = pool->threshold;
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemCurrent:
            number = pool->reserved;
            return result(cudaSuccess);
        case cudaMemPoolAttrReservedMemHigh:
            number = pool->most_reserved;
            return result(cudaSuccess);
        case cudaMemPoolAttrUsedMemCurrent:
            number = pool->used;
            return result(cudaSuccess);
        case cudaMemPoolAttrUsedMemHigh:
            number = pool->most_used;
            return result(cudaSuccess);
    }
    return result(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* access, std::size_t count) {
    finish_all();
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr || (access == nullptr && count > 0)) return result(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [type, device] = access[i].location;
        if (type != cudaMemLocationTypeDevice || !is_device(device)) return result(cudaErrorInvalidDevice);
        if (device == pool->device) {
            if (access[i].flags != cudaMemAccessFlagsProtReadWrite) return result(cudaErrorInvalidValue);
        } else if (access[i].flags != cudaMemAccessFlagsProtNone &&
                   !can_be_peers(*gpu_states()[static_cast<std::size_t>(device)],
                                 *gpu_states()[static_cast<std::size_t>(pool->device)])) {
            return refuse(cudaErrorPeerAccessUnsupported, "these GPUs have no peer access");
        }
    }
    for (std::size_t i = 0; i < count; ++i) pool->access[access[i].location.id] = access[i].flags;
    return result(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* location) {
    const std::lock_guard lock(pools().mutex);
    const auto pool = pools().find(handle);
    if (pool == nullptr || flags == nullptr || location == nullptr) return result(cudaErrorInvalidValue);
    if (location->type != cudaMemLocationTypeDevice || !is_device(location->id))
        return result(cudaErrorInvalidDevice);
    *flags = pool->access_of(location->id);
    return result(cudaSuccess);
}

cudaError_t cudaMemPoolExportToShareableHandle(void* /*handle*/, cudaMemPool_t /*pool*/,
                                               cudaMemAllocationHandleType /*type*/, unsigned /*flags*/) {
    return no_sharing();
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* /*pool*/, void* /*handle*/,
                                                 cudaMemAllocationHandleType /*type*/, unsigned /*flags*/) {
    return no_sharing();
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* /*data*/, void* /*memory*/) {
    return no_sharing();
}
cudaError_t cudaMemPoolImportPointer(void** /*memory*/, cudaMemPool_t /*pool*/,
                                     cudaMemPoolPtrExportData* /*data*/) {
    return no_sharing();
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* /*handle*/, void* /*memory*/) { return no_sharing(); }
cudaError_t cudaIpcOpenMemHandle(void** /*memory*/, cudaIpcMemHandle_t /*handle*/, unsigned /*flags*/) {
    return no_sharing();
}
cudaError_t cudaIpcCloseMemHandle(void* /*memory*/) { return no_sharing(); }

namespace {
cudaError_t no_shared_events() {
    return refuse(cudaErrorNotSupported, "processes cannot share an emulated GPU's events");
}
}  // namespace

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* /*handle*/, cudaEvent_t /*event*/) {
    return no_shared_events();
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* /*event*/, cudaIpcEventHandle_t /*handle*/) {
    return no_shared_events();
}
