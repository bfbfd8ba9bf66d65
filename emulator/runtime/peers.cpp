#include "emulator/runtime/peers.hpp"

#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph_memory.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/runtime/pools.hpp"

namespace cudabook::emulation {

namespace {

std::mutex peers_mutex;
std::set<std::pair<const GpuState*, const GpuState*>> enabled;  ///< {a GPU, a GPU whose memory it may use}

bool is_enabled(const GpuState& gpu, const GpuState& peer) {
    const std::lock_guard lock(peers_mutex);
    return enabled.contains({&gpu, &peer});
}

}  // namespace

bool can_be_peers(const GpuState& gpu, const GpuState& peer) {
    return &gpu != &peer && &gpu.gpu == &peer.gpu && gpu.gpu.peer_access != PeerAccess::none;
}

std::optional<std::string> why_no_access(const GpuState& gpu, const void* memory) {
    if (gpu_states().size() == 1) return std::nullopt;
    const auto place = place_on_gpu(memory);
    if (!place || place->gpu == &gpu || is_graph_memory(place->begin)) return std::nullopt;
    const int device = number_of(&gpu);
    const int peer = number_of(place->gpu);
    const auto of_pool = pool_is_accessible(place->begin, device);
    if (of_pool.value_or(is_enabled(gpu, *place->gpu))) return std::nullopt;
    return fmt::format(
        "device {} has no access to memory of device {}: {} would give it", device, peer,
        of_pool ? "cudaMemPoolSetAccess()" : fmt::format("cudaDeviceEnablePeerAccess({}, 0)", peer));
}

void disable_peers_of(const GpuState& gpu) {
    const std::lock_guard lock(peers_mutex);
    std::erase_if(enabled, [&](const auto& pair) { return pair.first == &gpu || pair.second == &gpu; });
}

}  // namespace cudabook::emulation

using namespace cudabook;
using namespace cudabook::emulation;

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    if (can_access == nullptr) return result(cudaErrorInvalidValue);
    const GpuState* const gpu = gpu_of(device);
    const GpuState* const other = gpu_of(peer);
    if (gpu == nullptr || other == nullptr) return result(cudaErrorInvalidDevice);
    *can_access = can_be_peers(*gpu, *other) ? 1 : 0;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (flags != 0) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const GpuState& gpu = current_state();
    const GpuState* const other = gpu_of(peer);
    if (other == nullptr) return result(cudaErrorInvalidDevice);
    finish_all();
    if (other == &gpu) return refuse(cudaErrorPeerAccessUnsupported, "a GPU has no peer access to itself");
    if (!can_be_peers(gpu, *other))
        return refuse(cudaErrorPeerAccessUnsupported,
                      &gpu.gpu == &other->gpu
                          ? fmt::format("GPUs of the kind {} have no peer access", gpu.gpu.product)
                          : "GPUs of different kinds have no peer access");
    const std::lock_guard lock(peers_mutex);
    return result(enabled.insert({&gpu, other}).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const GpuState* const other = gpu_of(peer);
    if (other == nullptr) return result(cudaErrorInvalidDevice);
    finish_all();
    const std::lock_guard lock(peers_mutex);
    return result(enabled.erase({&current_state(), other}) == 1 ? cudaSuccess
                                                                : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
    if (value == nullptr) return result(cudaErrorInvalidValue);
    const GpuState* const gpu = gpu_of(device);
    const GpuState* const other = gpu_of(peer);
    if (gpu == nullptr || other == nullptr || gpu == other) return result(cudaErrorInvalidDevice);
    const bool are_peers = can_be_peers(*gpu, *other);
    switch (attribute) {
        case cudaDevP2PAttrPerformanceRank:  // 0 is the best link of the machine
            *value = 0;
            return result(cudaSuccess);
        case cudaDevP2PAttrAccessSupported:
        case cudaDevP2PAttrCudaArrayAccessSupported:
            *value = are_peers ? 1 : 0;
            return result(cudaSuccess);
        case cudaDevP2PAttrNativeAtomicSupported:
            *value = are_peers && gpu->gpu.peer_access == PeerAccess::nvlink ? 1 : 0;
            return result(cudaSuccess);
    }
    return result(cudaErrorInvalidValue);
}
