// The heap from which malloc() and new in kernels take memory; its size is the GPU's cudaLimitMallocHeapSize.
// kernel_heap.cpp has the functions that replace malloc(), free(), new and delete in the user's object files:
// cudabook-emulate renames the calls there. Outside of kernels, these functions call the system's functions.
#pragma once

namespace cudabook::emulation {

class GpuState;

/// While this object lives, malloc() and new in this thread use the host's heap, even if a CUDA thread runs.
/// Functions of the emulated GPU itself need this object: they may share inline functions of the C++ library
/// with the program, in which the calls of malloc() and new are replaced. No other CUDA thread may run in
/// this operating system's thread meanwhile.
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
