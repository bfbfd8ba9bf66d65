// Replaces CCCL's header: the execution policies of Thrust's CUDA system, for algorithms on the host.
#pragma once

#include <cuda_runtime.h>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

THRUST_NAMESPACE_BEGIN
namespace system::cuda {
namespace detail {

template <class Derived>
struct stream_policy : thrust::system::cpp::detail::execution_policy<Derived> {
    /// The algorithm begins when the stream's work is done, and has ended when its call returns. Errors:
    /// system_error if the wait for the stream fails: the stream is being captured, or its work has failed.
    Derived on(cudaStream_t stream) const {
        if (!cudabook::emulation::is_cuda_thread())
            if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) {
                cudaGetLastError();  // removes the error, which the exception contains
                throw thrust::system_error(error, thrust::cuda_category(), "par.on(stream)");
            }
        return static_cast<const Derived&>(*this);
    }
};

struct par_t : stream_policy<par_t>, thrust::detail::allocator_aware_execution_policy<stream_policy> {};
struct par_nosync_t : stream_policy<par_nosync_t>,
                      thrust::detail::allocator_aware_execution_policy<stream_policy> {};

}  // namespace detail

inline constexpr detail::par_t par;
inline constexpr detail::par_nosync_t par_nosync;

}  // namespace system::cuda

namespace cuda {
using system::cuda::par;
using system::cuda::par_nosync;
}  // namespace cuda
THRUST_NAMESPACE_END
