// Launching kernels: checked, and, where the GPU can, begun while the launch before it still ends.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>

#include "common/cuda/error.cuh"
#include "common/cuda/stream.cuh"

namespace cudabook {

/// Launches the kernel on the stream, after all that was enqueued there before.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, const Stream& stream,
            Arguments... arguments) {
    kernel<<<blocks, threads, 0, stream.get()>>>(arguments...);
    CUDA_CHECK(cudaGetLastError());
}

/// The same with `shared_bytes` of shared memory beside what the kernel declares.
template <class... Parameters, class... Arguments>
void launch_with_shared(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
                        const Stream& stream, Arguments... arguments) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)));
    kernel<<<blocks, threads, shared_bytes, stream.get()>>>(arguments...);
    CUDA_CHECK(cudaGetLastError());
}

/// The compute capability of the current device, and that for which this program's code of a kernel was
/// compiled: 90 is 9.0. The second is the lower one where a device compiles the kernel itself, from PTX.
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

/// How a kernel reads what the launch before it wrote.
enum class Reads { memory, textures };

/// Whether a kernel's blocks may be set up while the launch before it still runs. await_previous_launch()
/// needs code for 9.0 or newer. What the kernel then reads from memory is guaranteed by CUDA. What it reads
/// through textures is not: their caches are emptied when a launch is set up, which may be too early, and
/// only on GPUs of 9.0 was it seen to be right.
constexpr bool may_overlap(Reads reads, int device_capability, int code_capability) {
    return code_capability >= 90 && (reads == Reads::memory || device_capability == 90);
}

namespace detail {

/// The same for a kernel on the current device. Remembered, because to ask takes about as long as to launch.
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

/// As launch_with_shared(), for a kernel that begins with await_previous_launch(): where that may be, its
/// blocks are set up while the previous launch still runs, which saves about a third of a microsecond between
/// two launches, and more where the previous kernel calls it too.
template <class... Parameters, class... Arguments>
void launch_overlapped_with_shared(Reads reads, void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                                   std::size_t shared_bytes, const Stream& stream, Arguments... arguments) {
#if CUDART_VERSION >= 12030  // the first toolkit that captures such launches into graphs
    if (shared_bytes > 0)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)));
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream.get();
    config.attrs = &overlap;
    config.numAttrs = detail::may_overlap(reads, reinterpret_cast<const void*>(kernel)) ? 1 : 0;
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
#else
    static_cast<void>(reads);
    launch_with_shared(kernel, blocks, threads, shared_bytes, stream, arguments...);
#endif
}

/// The same without shared memory beside what the kernel declares.
template <class... Parameters, class... Arguments>
void launch_overlapped(Reads reads, void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                       const Stream& stream, Arguments... arguments) {
    launch_overlapped_with_shared(reads, kernel, blocks, threads, 0, stream, arguments...);
}

/// First in a kernel that is launched overlapped: waits until the previous launch has ended and its writes
/// are seen, then lets the next one be set up. (In this order: a launch empties the texture caches when it is
/// set up, and the launch before the previous one must not fill them again after that.) In a launch that does
/// not overlap there is nothing to wait for.
__device__ inline void await_previous_launch() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace cudabook
