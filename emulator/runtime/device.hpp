// The emulated GPUs of this process: the current GPU, its memory and its errors. The functions of the
// runtime API share this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/program/gpus.hpp"
#include "emulator/runtime/arena.hpp"
#include "emulator/runtime/known.hpp"

namespace cudabook::emulation {

class GpuState;

/// Returns the emulated GPU that is current in this thread. There is always one.
const EmulatedGpu& current_gpu();

/// Makes the GPU with this number current in this thread.
void set_current_gpu(int device);

/// Returns whether a call has already listed the emulated GPUs. If so, the driver API counts as initialized.
bool gpus_are_known();

/// While this object lives, calls do not change this thread's last error.
class KeepLastError {
  public:
    KeepLastError();
    ~KeepLastError();
    KeepLastError(const KeepLastError&) = delete;
    KeepLastError& operator=(const KeepLastError&) = delete;

  private:
    cudaError_t before_;
};

/// Sets whether this thread is in a function that call_host_function() calls. Returns the previous value.
bool set_in_host_function(bool is_in_it);

/// Returns result(error) (known.hpp). Until this thread's next call of CUDA, cudaGetErrorString() adds `why`
/// to the error's text.
cudaError_t refuse(cudaError_t error, std::string why);

/// Does what refuse() and keep_for_the_end() do. It is for launches, copies and other calls whose errors a
/// program may forget to check.
cudaError_t refuse_work(cudaError_t error, std::string why);

/// Keeps an error, unless another error is already kept. The process prints the kept error when it ends,
/// unless the program has asked for the last error, or for this error's name or text.
void keep_for_the_end(cudaError_t error, const std::string& why);

/// Returns the error that keep_for_the_end() has kept and the reason for the error, or cudaSuccess and an
/// empty reason if no error is kept. The reason of an error is empty if CUDA's text for the error suffices.
/// A signal handler may call this.
std::pair<cudaError_t, std::string_view> kept_error();

/// Prints the kept error and the source line where it occurred. Returns false if this process has kept no
/// error.
bool print_kept_error();

/// Notes that the program has asked for the error, or for its name or text. An error that was kept for the
/// end is then forgotten.
void note_asked_for(cudaError_t error);

/// Returns the reason for an error, to be printed after CUDA's text for the error. The reason may be empty.
std::string why(cudaError_t error);

/// Returns memory of the current GPU, aligned to 512 bytes. Returns null if the GPU's memory or the host's
/// is used up.
void* allocate_on_gpu(std::size_t bytes, HostAccess access);

/// Frees memory of any GPU. Returns false if `memory` is not from allocate_on_gpu().
bool free_on_gpu(void* memory);

/// Returns the type of the memory at this address. Memory that CUDA does not know is the host's own, and
/// unregistered.
cudaMemoryType memory_type(const void* memory);

/// Returns the call that has allocated the memory that begins at this address, for example "cudaMalloc()".
/// Returns an empty string if no call of CUDA has allocated the memory, or if this is not known at the
/// moment.
std::string_view allocated_by(const void* memory);

/// Returns " at FILE:LINE": the source line where the program has allocated the memory that contains this
/// address. Returns an empty string if the line is not known.
std::string allocated_at(const void* memory);

/// Returns whether this address certainly belongs to the host alone: it is on a stack or the heap of the
/// host, and CUDA does not know the memory. Returns false for the program's variables, because some are
/// `__managed__`. Also returns false for an address just before or behind memory that CUDA knows, for example
/// the end of an array.
bool is_only_of_host(const void* memory);

/// Returns whether the address is in a freed array of a GPU. Returns false for arrays that were freed too
/// long ago to be remembered.
bool has_been_freed(const void* memory);

/// A place in memory of a GPU.
struct PlaceOnGpu {
    const GpuState* gpu;
    const void* begin;  ///< the allocation's begin
};

/// Returns the place that this address belongs to. Returns nothing if the address is not in memory of a GPU,
/// or if the memory is managed.
std::optional<PlaceOnGpu> place_on_gpu(const void* memory);

/// Returns the number of bytes from this address to the end of its allocation, or the largest number if CUDA
/// does not know the memory.
std::size_t bytes_left_at(const void* memory);

/// Returns whether an asynchronous copy between these addresses is complete when its call returns. The copy
/// is complete if both addresses are in memory of the host, or if one of them is in memory that CUDA does not
/// know.
bool copy_is_synchronous(const void* to, const void* from);

/// Returns whether all bytes are in one allocation. Also returns true if CUDA does not know the memory.
inline bool is_in_bounds(const void* memory, std::size_t bytes) { return bytes <= bytes_left_at(memory); }

/// Returns the address and the size in bytes of each allocation that CUDA knows, sorted by address.
std::vector<std::pair<std::uintptr_t, std::size_t>> allocations_known_to_cuda();

/// Undoes make_known() (known.hpp).
void forget(const void* memory);

/// Returns whether a copy of this kind may have a target and a source of these types. A CUDA array counts
/// as device memory.
bool direction_is_right(cudaMemcpyKind kind, cudaMemoryType to, cudaMemoryType from);

/// Calls a function of the program that a stream or a graph runs. Meanwhile, CUDA's calls in this thread are
/// refused: result() returns cudaErrorNotPermitted.
template <class Function>
void call_host_function(const Function& function) {
    const struct InHostFunction {
        bool outer = set_in_host_function(true);
        ~InHostFunction() { set_in_host_function(outer); }
    } in_host_function;
    const ArraysInReach not_in_reach(false);
    function();
}

}  // namespace cudabook::emulation
