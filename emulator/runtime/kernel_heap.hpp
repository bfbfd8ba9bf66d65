// The heap from which malloc() and new in kernels take memory; its size is the GPU's cudaLimitMallocHeapSize.
// kernel_heap.cpp has the functions that replace malloc(), free(), new and delete in the user's objects,
// where cudabook-emulate renames the calls. Outside of kernels, these functions call the system's functions.
#pragma once

namespace cudabook::emulation {

class GpuState;

/// While this object lives, malloc() and new in this thread are the host's, even if it is a CUDA thread.
/// For functions of the emulated GPU itself, because they may share inline functions of C++'s library with
/// the program. No other CUDA thread may run here meanwhile.
class HeapOfHost {
  public:
    HeapOfHost();
    ~HeapOfHost();
    HeapOfHost(const HeapOfHost&) = delete;
    HeapOfHost& operator=(const HeapOfHost&) = delete;

  private:
    bool before_;
};

/// Returns whether a kernel has allocated the memory at this address.
bool is_in_kernel_heap(const void* memory);

/// Frees the memory that kernels of the GPU have allocated.
void free_kernel_heap(const GpuState& gpu);

}  // namespace cudabook::emulation
