// Asynchronous copies from global to shared memory. A copy is complete when its call returns. But with
// ThreadSanitizer, a copy is made as late as CUDA allows, so that a missing wait is found. Source: CUDA C++
// Programming Guide, "Pipeline Primitives Interface".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cuda_awbarrier_primitives.h>

#include "emulator/checks/sanitizer.hpp"
#include "emulator/engine/block.hpp"

/// Writes 4, 8 or 16 bytes. The last `zfill` of these bytes are zeros, the others are copied.
inline void __pipeline_memcpy_async(void* dst_shared, const void* src_global, std::size_t size_and_align,
                                    std::size_t zfill = 0) {
    const std::size_t size = size_and_align;
    if ((size != 4 && size != 8 && size != 16) || zfill > size)
        cudabook::emulation::fail_kernel("__pipeline_memcpy_async copies 4, 8 or 16 bytes");
    if ((reinterpret_cast<std::uintptr_t>(dst_shared) | reinterpret_cast<std::uintptr_t>(src_global)) %
            size !=
        0)
        cudabook::emulation::fail_kernel(
            "__pipeline_memcpy_async of an address that is not aligned to the size");
    if (cudabook::emulation::thread_sanitizer)
        return cudabook::emulation::copy_later({dst_shared, src_global, size - zfill, zfill});
    std::memcpy(dst_shared, src_global, size - zfill);
    std::memset(static_cast<unsigned char*>(dst_shared) + size - zfill, 0, zfill);
}
inline void __pipeline_commit() {
    if (cudabook::emulation::thread_sanitizer) cudabook::emulation::commit_copies();
}
/// Waits for all copies except the copies of the last `but` commits.
inline void __pipeline_wait_prior(std::size_t but) {
    if (cudabook::emulation::thread_sanitizer) cudabook::emulation::make_copies(but);
}
/// Makes the barrier wait for this thread's copies so far. Here, the copies are complete on return.
inline void __pipeline_arrive_on(__mbarrier_t*) {
    if (cudabook::emulation::thread_sanitizer) cudabook::emulation::make_all_copies();
}
