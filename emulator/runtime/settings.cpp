// Settings: limits, caches, flags, advice. Most have no effect on the emulated GPU. The limits, the device
// flags and the GPU's cache configuration are stored, so that a program reads the values that it has set.
#include <array>
#include <atomic>

#include "emulator/engine/fiber.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/pending_work.hpp"

using namespace cudabook::emulation;

namespace {

// CUDA's defaults
std::array<std::atomic<std::size_t>, 7> limits{1024, 7340032, 8388608, 2, 2048, 64, 0};
std::atomic<unsigned> device_flags = cudaDeviceMapHost;
std::atomic<cudaFuncCache> cache = cudaFuncCachePreferNone;

bool is_limit(cudaLimit limit) { return limit >= 0 && static_cast<std::size_t>(limit) < limits.size(); }

}  // namespace

cudaError_t cudaSetValidDevices(int* devices, int count) {
    if (devices == nullptr && count > 0) return result(cudaErrorInvalidValue);
    for (int i = 0; i < count; ++i)
        if (devices[i] < 0 || devices[i] >= static_cast<int>(gpu_states().size()))
            return result(cudaErrorInvalidDevice);
    return result(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    if ((flags & ~cudaDeviceMask) != 0) return result(cudaErrorInvalidValue);
    device_flags = flags | cudaDeviceMapHost;
    return result(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    if (flags == nullptr) return result(cudaErrorInvalidValue);
    *flags = device_flags;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    if (!is_limit(limit)) return result(cudaErrorUnsupportedLimit);
    finish_all();
    limits[static_cast<std::size_t>(limit)] = value;
    if (limit == cudaLimitStackSize) Fiber::set_stack_limit(value);
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    if (value == nullptr) return result(cudaErrorInvalidValue);
    if (!is_limit(limit)) return result(cudaErrorUnsupportedLimit);
    *value = limits[static_cast<std::size_t>(limit)];
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
    cache = config;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    if (config == nullptr) return result(cudaErrorInvalidValue);
    *config = cache;
    return result(cudaSuccess);
}

// The banks of shared memory have four bytes on all GPUs since compute capability 5.0.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*config*/) { return result(cudaSuccess); }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    if (config == nullptr) return result(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return result(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache /*config*/) {
    return result(kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig /*config*/) {
    return result(kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    if (flags == nullptr || memory_type(host) != cudaMemoryTypeHost) return result(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return result(cudaSuccess);
}

cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise /*advice*/,
                          cudaMemLocation /*location*/) {
    return result(memory_type(memory) == cudaMemoryTypeManaged && is_in_bounds(memory, bytes)
                      ? cudaSuccess
                      : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, cudaMemLocation /*location*/,
                                 unsigned flags, cudaStream_t /*stream*/) {
    return result(flags == 0 && memory_type(memory) == cudaMemoryTypeManaged && is_in_bounds(memory, bytes)
                      ? cudaSuccess
                      : cudaErrorInvalidValue);
}
