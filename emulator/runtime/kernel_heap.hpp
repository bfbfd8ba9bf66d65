// The heap of kernels: what their malloc() and new take, of the GPU's cudaLimitMallocHeapSize. The functions
// of the user's objects that stand for malloc(), free(), new and delete are here (cudabook-emulate renames
// them); outside of kernels they are the system's.
#pragma once

namespace cudabook::emulation {

class GpuState;

/// Returns whether a kernel has allocated the memory at this address.
bool is_in_kernel_heap(const void* memory);

/// Frees what kernels of the GPU have allocated.
void free_kernel_heap(const GpuState& gpu);

}  // namespace cudabook::emulation
