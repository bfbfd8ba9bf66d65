// Replaces CCCL's header: device vectors are in memory of the emulated GPU, so that kernels, copies and
// cudaPointerGetAttributes() know this memory.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/system/detail/bad_alloc.h>

namespace cudabook::emulation {

inline cudaError_t allocate_managed(void** memory, std::size_t bytes) {
    return cudaMallocManaged(memory, bytes, cudaMemAttachGlobal);
}

/// Allocates and frees memory by two functions of the runtime API. Errors: thrust's bad_alloc, with the
/// runtime's reason.
template <cudaError_t (*take)(void**, std::size_t), cudaError_t (*give_back)(void*)>
class ThrustMemory final : public THRUST_NS_QUALIFIER::mr::memory_resource<> {
  public:
    void* do_allocate(std::size_t bytes, std::size_t /*alignment: less than the runtime's*/) override {
        void* memory = nullptr;
        const cudaError_t error = take(&memory, bytes);
        if (error == cudaSuccess) return memory;
        static_cast<void>(cudaGetLastError());
        throw THRUST_NS_QUALIFIER::system::detail::bad_alloc(cudaGetErrorString(error));
    }
    void do_deallocate(void* memory, std::size_t /*bytes*/, std::size_t /*alignment*/) override {
        static_cast<void>(give_back(memory));
    }
};

using ThrustDeviceMemory = ThrustMemory<cudaMalloc, cudaFree>;
using ThrustManagedMemory = ThrustMemory<allocate_managed, cudaFree>;
using ThrustPinnedMemory = ThrustMemory<cudaMallocHost, cudaFreeHost>;

}  // namespace cudabook::emulation

THRUST_NAMESPACE_BEGIN
namespace system::cpp {

using memory_resource =
    mr::fancy_pointer_resource<cudabook::emulation::ThrustDeviceMemory, cpp::pointer<void>>;
using universal_memory_resource =
    mr::fancy_pointer_resource<cudabook::emulation::ThrustManagedMemory, cpp::universal_pointer<void>>;
using universal_host_pinned_memory_resource =
    mr::fancy_pointer_resource<cudabook::emulation::ThrustPinnedMemory, cpp::universal_pointer<void>>;

}  // namespace system::cpp
THRUST_NAMESPACE_END
