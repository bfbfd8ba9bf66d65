// Replaces CCCL's header: thrust::device_malloc() allocates memory of the emulated GPU.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/detail/sequential/malloc_and_free.h>

THRUST_NAMESPACE_BEGIN
namespace system::cpp::detail {

/// Returns a null pointer if there is no memory.
template <class Derived>
void* malloc(execution_policy<Derived>&, std::size_t bytes) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess) static_cast<void>(cudaGetLastError());
    return memory;
}

template <class Derived, class Pointer>
void free(execution_policy<Derived>&, Pointer memory) {
    static_cast<void>(cudaFree(thrust::raw_pointer_cast(memory)));
}

}  // namespace system::cpp::detail
THRUST_NAMESPACE_END
