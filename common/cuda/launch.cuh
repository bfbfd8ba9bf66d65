// Kernel launches with error checks, and programmatic dependent launch on GPUs that have it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>

#include "common/cuda/error.cuh"
#include "common/cuda/known_kernel.cuh"
#include "common/cuda/stream.cuh"

namespace cudabook {

namespace detail {

/// The configuration of a launch without attributes.
inline cudaLaunchConfig_t launch_config(dim3 blocks, dim3 threads, std::size_t shared_bytes,
                                        const Stream& stream) {
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream.get();
    return config;
}

}  // namespace detail

/// Launches a kernel on the stream. launch<kernel>(...) is for a kernel that is known at compile time, and
/// launch(kernel, ...) for a pointer that is known only at run time. Errors: CudaError.
template <auto kernel, class... Arguments>
void launch(dim3 blocks, dim3 threads, const Stream& stream, Arguments... arguments) {
    CUDA_CHECK(detail::launch_known<kernel>(detail::launch_config(blocks, threads, 0, stream), arguments...));
}
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, const Stream& stream,
            Arguments... arguments) {
    const cudaLaunchConfig_t config = detail::launch_config(blocks, threads, 0, stream);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

/// Like launch(), with `shared_bytes` of dynamic shared memory.
template <class... Parameters, class... Arguments>
void launch_with_shared(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
                        const Stream& stream, Arguments... arguments) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)));
    const cudaLaunchConfig_t config = detail::launch_config(blocks, threads, shared_bytes, stream);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

/// The compute capability of the current device, and the compute capability that a kernel's code was
/// compiled for; 90 means 9.0. The code's capability may be lower than the device's, for example if the
/// driver compiled the kernel from PTX.
inline int capability_of_device() {
    int device = 0;
    int major = 0;
    int minor = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    return 10 * major + minor;
}
inline int capability_of_code(const void* kernel) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    return attributes.ptxVersion;
}

/// How a kernel reads what the previous launch wrote.
enum class Reads { memory, textures };

/// Returns true if a kernel may be set up while the previous launch still runs. Such a kernel calls
/// await_previous_launch(), which needs code for compute capability 9.0 or newer. CUDA then guarantees that
/// the kernel reads from memory what the previous launch wrote. CUDA does not guarantee this for reads
/// through textures: the texture caches are invalidated when a launch is set up, which may be too early.
/// Reads through textures were found correct only on GPUs of compute capability 9.0.
constexpr bool may_overlap(Reads reads, int device_capability, int code_capability) {
    return code_capability >= 90 && (reads == Reads::memory || device_capability == 90);
}

namespace detail {

/// Returns cudabook::may_overlap() for a kernel on the current device. The answers are cached, because the
/// queries take about as long as a launch.
inline bool may_overlap(Reads reads, const void* kernel) {
    static std::mutex mutex;
    static std::map<std::tuple<Reads, const void*, int>, bool> known;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] = known.try_emplace({reads, kernel, device});
    if (is_new)
        entry->second = cudabook::may_overlap(reads, capability_of_device(), capability_of_code(kernel));
    return entry->second;
}

}  // namespace detail

/// Like launch_with_shared(), for a kernel that begins with await_previous_launch(). If may_overlap() returns
/// true, the kernel's blocks are set up while the previous launch still runs. That saves about a third of a
/// microsecond between two launches, and more if the previous kernel calls await_previous_launch() too.
template <class... Parameters, class... Arguments>
void launch_overlapped_with_shared(Reads reads, void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                                   std::size_t shared_bytes, const Stream& stream, Arguments... arguments) {
#if CUDART_VERSION >= 12030  // the first toolkit that can capture such launches into graphs
    if (shared_bytes > 0)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)));
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = detail::launch_config(blocks, threads, shared_bytes, stream);
    config.attrs = &overlap;
    config.numAttrs = detail::may_overlap(reads, reinterpret_cast<const void*>(kernel)) ? 1 : 0;
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
#else
    static_cast<void>(reads);
    launch_with_shared(kernel, blocks, threads, shared_bytes, stream, arguments...);
#endif
}

/// Like launch_overlapped_with_shared(), without dynamic shared memory.
template <class... Parameters, class... Arguments>
void launch_overlapped(Reads reads, void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                       const Stream& stream, Arguments... arguments) {
    launch_overlapped_with_shared(reads, kernel, blocks, threads, 0, stream, arguments...);
}

}  // namespace cudabook
