// The heap from which malloc() and new in kernels take memory; cudaLimitMallocHeapSize of the GPU is its
// size. The functions that replace malloc(), free(), new and delete in the user's objects are here
// (cudabook-emulate renames them); outside of kernels they call the system's functions.
#pragma once

namespace cudabook::emulation {

class GpuState;

/// While this object lives, malloc() and new in this thread are the host's, also if it is a CUDA thread: a
/// function of the emulated GPU itself runs, and may share inline functions of C++'s library with the
/// program. No other CUDA thread may run meanwhile.
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

/// Frees what kernels of the GPU have allocated.
void free_kernel_heap(const GpuState& gpu);

}  // namespace cudabook::emulation
