// Replaces CCCL's header: algorithms allocate temporary memory on the host's heap, also in kernels.
#pragma once

#include <cstddef>
#include <cstdlib>

#include <thrust/detail/pointer.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/pair.h>
#include <thrust/system/cpp/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system::cpp::detail {

template <class T, class Derived>
thrust::pair<thrust::pointer<T, Derived>, std::ptrdiff_t> get_temporary_buffer(execution_policy<Derived>&,
                                                                               std::ptrdiff_t size) {
    void* const memory = std::malloc(static_cast<std::size_t>(size) * sizeof(T));
    return {thrust::pointer<T, Derived>(static_cast<T*>(memory)), memory == nullptr ? 0 : size};
}

template <class Derived, class Pointer>
void return_temporary_buffer(execution_policy<Derived>&, Pointer memory, std::ptrdiff_t /*size*/) {
    std::free(thrust::raw_pointer_cast(memory));
}

}  // namespace system::cpp::detail
THRUST_NAMESPACE_END
