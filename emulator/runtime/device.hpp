// The emulated GPUs of this process: which one is current, its memory, its errors, and when work is done.
// What the functions of the runtime API have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/program/gpus.hpp"
#include "emulator/runtime/known.hpp"

namespace cudabook::emulation {

/// The emulated GPU that is current in this thread. There is always one.
const EmulatedGpu& current_gpu();

/// result() of an error about which cudaGetErrorString() says why, until this thread's next call.
cudaError_t refuse(cudaError_t error, std::string why);

/// What is known of an error beside CUDA's text; may be empty.
std::string why(cudaError_t error);

/// Memory of the current GPU, aligned to 512 bytes; null if the GPU's memory or the host's is used up.
void* allocate_on_gpu(std::size_t bytes);

/// Frees such memory, of any GPU. Returns whether it was that.
bool free_on_gpu(void* memory);

/// Whether the bytes from `memory` on are known to CUDA, and as what. Memory that is not is the host's own.
cudaMemoryType memory_type(const void* memory);

/// Whether so many bytes from `memory` on are in one allocation, or CUDA does not know the memory.
bool is_in_bounds(const void* memory, std::size_t bytes);

/// All memory that CUDA knows: where it begins, in order, and how many bytes it has.
std::vector<std::pair<std::uintptr_t, std::size_t>> allocations_known_to_cuda();

/// Memory that make_known() made known is so no longer.
void forget(const void* memory);

/// Whether a copy of that kind may have these ends. An end that is a CUDA array is device memory.
bool direction_is_right(cudaMemcpyKind kind, cudaMemoryType to, cudaMemoryType from);

/// Does the work now or, while the stream is captured, whenever the graph is launched.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);

}  // namespace cudabook::emulation
