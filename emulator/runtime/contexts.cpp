#include "emulator/runtime/contexts.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/pending_work.hpp"

namespace cudabook::emulation {

namespace {

/// The primary context of a GPU. It is active if the runtime API uses it (is_used) or calls have retained it.
struct Primary {
    CUctx_st context;
    unsigned retained = 0;
    bool is_used = false;
};

/// The contexts of all threads.
struct Contexts {
    std::mutex mutex;
    std::vector<std::unique_ptr<Primary>> primaries;
    std::vector<std::unique_ptr<CUctx_st>> created;

    Contexts() {
        for (int device = 0; device < static_cast<int>(gpu_states().size()); ++device)
            primaries.push_back(std::make_unique<Primary>(Primary{{device, true}}));
    }

    [[nodiscard]] bool contains(CUcontext context) const {
        const auto is_this = [context](const auto& one) { return one.get() == context; };
        return std::ranges::any_of(created, is_this) ||
               std::ranges::any_of(primaries,
                                   [context](const auto& one) { return &one->context == context; });
    }

    Primary& primary_of(int device) { return *primaries[static_cast<std::size_t>(device)]; }
};

Contexts& contexts() {
    static auto* const all = new Contexts;  // lasts until the process ends, as the program's variables
    return *all;
}

thread_local std::vector<CUcontext> stack;  ///< the last context is current

Primary& primary_in_use() {
    const std::lock_guard lock(contexts().mutex);
    Primary& primary = contexts().primary_of(number_of(&current_state()));
    primary.is_used = true;
    return primary;
}

bool is_known(CUcontext context) {
    const std::lock_guard lock(contexts().mutex);
    return contexts().contains(context);
}

/// Puts the context on top of the stack, and makes its GPU current.
CUresult push(CUcontext context) {
    if (!is_known(context)) return CUDA_ERROR_INVALID_CONTEXT;
    stack.push_back(context);
    set_current_gpu(context->device);
    return CUDA_SUCCESS;
}

CUcontext pop() {
    const CUcontext context = stack.back();
    stack.pop_back();
    if (!stack.empty() && is_known(stack.back())) set_current_gpu(stack.back()->device);
    return context;
}

CUresult why_no_device(CUdevice device) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    return gpu_of(device) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

constexpr unsigned all_flags = CU_CTX_FLAGS_MASK;

}  // namespace

void use_primary_context() {
    if (!stack.empty()) return;
    stack.push_back(&primary_in_use().context);
}

void choose_primary_context() {
    if (!stack.empty()) stack.pop_back();
    stack.push_back(&primary_in_use().context);
}

void leave_primary_context() {
    Primary& primary = primary_in_use();
    {
        const std::lock_guard lock(contexts().mutex);
        primary.is_used = false;
        primary.context.memory.clear();
    }
    if (!stack.empty() && stack.back() == &primary.context) stack.pop_back();
}

CUcontext current_context() { return stack.empty() ? nullptr : stack.back(); }

void own_memory(CUdeviceptr memory) {
    const std::lock_guard lock(contexts().mutex);
    current_context()->memory.insert(memory);
}

void disown_memory(CUdeviceptr memory) {
    const std::lock_guard lock(contexts().mutex);
    for (const auto& context : contexts().created) context->memory.erase(memory);
}

CUcontext owner_of(CUdeviceptr memory, int device) {
    const std::lock_guard lock(contexts().mutex);
    for (const auto& context : contexts().created)
        if (context->memory.contains(memory)) return context.get();
    return &contexts().primary_of(device).context;
}

CUresult why_no_context() {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    return is_known(stack.back()) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

// ----- Primary contexts

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = why_no_device(device); error != CUDA_SUCCESS) return error;
    const std::lock_guard lock(contexts().mutex);
    Primary& primary = contexts().primary_of(device);
    ++primary.retained;
    *context = &primary.context;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    if (const CUresult error = why_no_device(device); error != CUDA_SUCCESS) return error;
    const std::lock_guard lock(contexts().mutex);
    Primary& primary = contexts().primary_of(device);
    if (primary.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    --primary.retained;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    if (const CUresult error = why_no_device(device); error != CUDA_SUCCESS) return error;
    if ((flags & ~all_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(contexts().mutex);
    contexts().primary_of(device).context.flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    if (const CUresult error = why_no_device(device); error != CUDA_SUCCESS) return error;
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(contexts().mutex);
    const Primary& primary = contexts().primary_of(device);
    *flags = primary.context.flags;
    *active = primary.retained > 0 || primary.is_used ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    if (const CUresult error = why_no_device(device); error != CUDA_SUCCESS) return error;
    const CurrentGpu current(*gpu_of(device));
    return driver_error(cudaDeviceReset());
}

// ----- Contexts

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
    if (context == nullptr || (flags & ~all_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = why_no_device(device); error != CUDA_SUCCESS) return error;
    {
        const std::lock_guard lock(contexts().mutex);
        contexts().created.push_back(std::make_unique<CUctx_st>(CUctx_st{device, false, flags}));
        *context = contexts().created.back().get();
    }
    return push(*context);
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
    if (parameters != nullptr && (parameters->numExecAffinityParams > 0 || parameters->cigParams != nullptr))
        return CUDA_ERROR_NOT_SUPPORTED;
    return cuCtxCreate(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    finish_all();
    std::unique_ptr<CUctx_st> destroyed;
    {
        const std::lock_guard lock(contexts().mutex);
        auto& all = contexts().created;
        const auto found = std::ranges::find(all, context, &std::unique_ptr<CUctx_st>::get);
        if (found == all.end()) return CUDA_ERROR_INVALID_CONTEXT;
        destroyed = std::move(*found);
        all.erase(found);
    }
    for (const CUdeviceptr memory : destroyed->memory) free_on_gpu(reinterpret_cast<void*>(memory));
    if (current_context() == context) pop();
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    return gpus_are_known() ? push(context) : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    const CUcontext popped = pop();
    if (context != nullptr) *context = popped;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (context != nullptr && !is_known(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty()) stack.pop_back();
    return context == nullptr ? CUDA_SUCCESS : push(context);
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *context = current_context();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    *device = current_context()->device;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned* flags) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
    if (!gpus_are_known()) return CUDA_ERROR_NOT_INITIALIZED;
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (context == nullptr ? current_context() == nullptr : !is_known(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    *version = 3020;  // of all contexts since CUDA 3.2
    return CUDA_SUCCESS;
}

namespace {

CUresult change_peer(CUcontext peer, cudaError_t (*change)(int device)) {
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    if (!is_known(peer)) return CUDA_ERROR_INVALID_CONTEXT;
    const KeepLastError keep;
    return driver_error(change(peer->device));
}

}  // namespace

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return change_peer(peer, [](int device) { return cudaDeviceEnablePeerAccess(device, 0); });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) { return change_peer(peer, cudaDeviceDisablePeerAccess); }

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           std::size_t bytes, CUstream stream) {
    if (const CUresult error = why_no_context(); error != CUDA_SUCCESS) return error;
    if (!is_known(to_context) || !is_known(from_context)) return CUDA_ERROR_INVALID_CONTEXT;
    return cuMemcpyDtoDAsync(to, from, bytes, stream);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      std::size_t bytes) {
    finish_all();
    const CUresult error = cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, nullptr);
    finish_all();
    return error;
}
