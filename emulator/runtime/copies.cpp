// Copies and fills of memory that is not in CUDA arrays.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "emulator/checks/memory_marks.hpp"
#include "emulator/checks/source_line.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/kernel_heap.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/runtime/stream.hpp"

using namespace cudabook::emulation;

namespace {

/// Returns the begin of a row.
std::byte* row(void* memory, std::size_t pitch, std::size_t y) {
    return static_cast<std::byte*>(memory) + y * pitch;
}
const std::byte* row(const void* memory, std::size_t pitch, std::size_t y) {
    return static_cast<const std::byte*>(memory) + y * pitch;
}

bool is_gpu_memory(const void* memory, std::size_t bytes) {
    return memory_type(memory) != cudaMemoryTypeUnregistered && is_in_bounds(memory, bytes);
}

/// Returns whether the address is in a variable of the program.
bool is_variable(const void* memory) {
    Dl_info object;
    return dladdr(memory, &object) != 0;
}

/// Returns a text for messages that says whose memory this is.
std::string owner_text(const void* memory) {
    if (memory_type(memory) == cudaMemoryTypeDevice) return "memory of a GPU";
    if (is_in_kernel_heap(memory))
        return "memory that a kernel has allocated, which cudaMemcpy() cannot copy";
    return has_been_freed(memory) ? "an array that has been freed" : "memory of the host";
}

/// Returns an error whose text says why the copy cannot be made, or cudaSuccess. The copy writes within
/// `to_bytes` bytes from `to` on, and reads within `from_bytes` bytes from `from` on.
cudaError_t check_copy(const void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes,
                       cudaMemcpyKind kind) {
    if (kind > cudaMemcpyDefault) return result(cudaErrorInvalidMemcpyDirection);
    std::string why;
    if (to == nullptr || from == nullptr) {
        why = fmt::format("a copy {} a null pointer", to == nullptr ? "to" : "from");
    } else if (!direction_is_right(kind, memory_type(to), memory_type(from))) {
        constexpr std::array names{"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                   "cudaMemcpyDeviceToDevice"};
        why = fmt::format("a copy by {} from {} to {}{}", names[kind], owner_text(from), owner_text(to),
                          is_variable(from) || is_variable(to)
                              ? " (for a __device__ or __constant__ variable there are cudaMemcpyToSymbol() "
                                "and cudaMemcpyFromSymbol())"
                              : "");
    } else if (!is_in_bounds(to, to_bytes)) {
        why = fmt::format("a copy of {} bytes to {} bytes", to_bytes, bytes_left_at(to));
    } else if (!is_in_bounds(from, from_bytes)) {
        why = fmt::format("a copy of {} bytes from {} bytes", from_bytes, bytes_left_at(from));
    } else {
        return cudaSuccess;
    }
    return refuse_work(cudaErrorInvalidValue, why);
}

/// Returns the bytes from the first byte of the first row to the last byte of the last row.
std::size_t extent_of(std::size_t pitch, std::size_t width_bytes, std::size_t height) {
    return (height - 1) * pitch + width_bytes;
}

/// Returns the parameters that a graph's node for this copy has.
cudaMemcpy3DParms copy_parameters(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                  std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind) {
    cudaMemcpy3DParms parameters{};
    parameters.dstPtr = make_cudaPitchedPtr(to, to_pitch, width_bytes, height);
    parameters.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), from_pitch, width_bytes, height);
    parameters.extent = make_cudaExtent(width_bytes, height, 1);
    parameters.kind = kind;
    return parameters;
}

/// Enqueues a copy, and waits for it if CUDA waits for such a copy.
cudaError_t enqueue_copy(cudaStream_t stream, Task task, const void* to, const void* from) {
    const cudaError_t error = enqueue(stream, std::move(task));
    return copy_is_synchronous(to, from) ? when_done(error, stream) : error;
}

bool is_on_other_gpu(const void* memory) {
    const auto place = place_on_gpu(memory);
    return place && place->gpu != &current_state();
}

/// Call this before a copy is enqueued in the legacy stream. If it copies between GPUs, waits for all work.
void await_gpus_of_copy(const void* to, const void* from) {
    if (is_on_other_gpu(to) || is_on_other_gpu(from)) finish_all();
}

/// Waits for a copy that was enqueued in the legacy stream, and returns its error. As in CUDA, does not
/// wait for a copy within a GPU's own memory.
cudaError_t when_copied(cudaError_t enqueued, const void* to, const void* from) {
    const auto is_own = [](const void* memory) {
        return memory_type(memory) == cudaMemoryTypeDevice && !is_on_other_gpu(memory);
    };
    return is_own(to) && is_own(from) ? enqueued : when_done(enqueued, nullptr);
}
/// Does the same for a fill.
cudaError_t when_filled(cudaError_t enqueued, const void* memory) {
    return when_copied(enqueued, memory, memory);
}

/// Waits for work that uses the old value of a device variable. All GPUs share the variable.
void await_users_of_variables() {
    if (gpu_states().size() > 1) finish_all();
}

/// Returns the kind of a copy to or from a symbol. If the symbol is the handle in a texture reference,
/// whose memory CUDA does not know, this is the default kind.
cudaMemcpyKind kind_for(const void* symbol, cudaMemcpyKind kind) {
    return memory_type(symbol) == cudaMemoryTypeUnregistered ? cudaMemcpyDefault : kind;
}

}  // namespace

cudaError_t cudabook::emulation::make_copy_task(Task& task, void* to, const void* from, std::size_t bytes,
                                                cudaMemcpyKind kind) {
    if (const cudaError_t error = check_copy(to, bytes, from, bytes, kind); error != cudaSuccess)
        return error;
    if (memory_type(to) == cudaMemoryTypeDevice && memory_type(from) != cudaMemoryTypeDevice &&
        has_virtual_functions(from, bytes))
        return refuse_work(
            cudaErrorInvalidValue,
            "a copy of an object whose virtual functions are the host's: construct it in a kernel");
    task = {cudaGraphNodeTypeMemcpy, [=] { std::memmove(to, from, bytes); },
            copy_parameters(to, bytes, from, bytes, bytes, 1, kind)};
    return cudaSuccess;
}

cudaError_t cudabook::emulation::make_memset_task(Task& task, const cudaMemsetParams& parameters) {
    const auto& [memory, pitch, value, element_bytes, width, height] = parameters;
    const bool is_size = element_bytes == 1 || element_bytes == 2 || element_bytes == 4;
    if (!is_size || width == 0 || height == 0 ||
        !is_gpu_memory(memory, extent_of(height == 1 ? 0 : pitch, width * element_bytes, height)))
        return result(cudaErrorInvalidValue);
    task.type = cudaGraphNodeTypeMemset;
    task.run = [parameters] {
        for (std::size_t y = 0; y < parameters.height; ++y) {
            std::byte* const first = row(parameters.dst, parameters.pitch, y);
            for (std::size_t x = 0; x < parameters.width; ++x)  // writes the low bytes of the value
                std::memcpy(first + x * parameters.elementSize, &parameters.value, parameters.elementSize);
        }
    };
    task.parameters = parameters;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (bytes == 0) return result(cudaSuccess);
    Task task;
    if (const cudaError_t error = make_copy_task(task, to, from, bytes, kind); error != cudaSuccess)
        return error;
    return enqueue_copy(stream, std::move(task), to, from);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    await_gpus_of_copy(to, from);
    return when_copied(cudaMemcpyAsync(to, from, bytes, kind, nullptr), to, from);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    if (width_bytes == 0 || height == 0) return result(cudaSuccess);
    if (to_pitch < width_bytes || from_pitch < width_bytes)
        return refuse_work(cudaErrorInvalidPitchValue,
                           fmt::format("a copy of rows of {} bytes, {} bytes apart", width_bytes,
                                       std::min(to_pitch, from_pitch)));
    if (const cudaError_t error = check_copy(to, extent_of(to_pitch, width_bytes, height), from,
                                             extent_of(from_pitch, width_bytes, height), kind);
        error != cudaSuccess)
        return error;
    const auto copy = [=] {
        for (std::size_t y = 0; y < height; ++y)
            std::memmove(row(to, to_pitch, y), row(from, from_pitch, y), width_bytes);
    };
    return enqueue_copy(stream,
                        {cudaGraphNodeTypeMemcpy, copy,
                         copy_parameters(to, to_pitch, from, from_pitch, width_bytes, height, kind)},
                        to, from);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    await_gpus_of_copy(to, from);
    return when_copied(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width_bytes, height, kind, nullptr),
                       to, from);
}

#if CUDABOOK_MEMORY_MARKS
void cudabook::emulation::check_fill(std::size_t element_bytes, int value) {
    constexpr int most = 31;  // greater values may be meant as patterns: 0x3f, 0x55, 0x7f
    if (value < 1 || value > most || is_cuda_thread()) return;
    std::string element = "0x";
    for (std::size_t i = 0; i < element_bytes; ++i) element += fmt::format("{:02x}", value);
    print_line(
        fmt::format("warning: cudaMemset() with {}{}: it sets bytes, and each element of {} "
                    "bytes becomes {}",
                    value, Callers::here().at_line(), element_bytes, element));
}
#endif

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    if (bytes == 0) return result(cudaSuccess);
    if (!is_gpu_memory(memory, bytes))
        return refuse_work(cudaErrorInvalidValue,
                           memory_type(memory) == cudaMemoryTypeUnregistered
                               ? "a fill of " + owner_text(memory)
                               : fmt::format("a fill of {} bytes of {} bytes", bytes, bytes_left_at(memory)));
    return enqueue(stream, {cudaGraphNodeTypeMemset, [=] { std::memset(memory, value, bytes); },
                            cudaMemsetParams{memory, bytes, static_cast<unsigned>(value), 1, bytes, 1}});
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_filled(cudaMemsetAsync(memory, value, bytes, nullptr), memory);
}

cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width_bytes,
                              std::size_t height, cudaStream_t stream) {
    return cudaMemset3DAsync(make_cudaPitchedPtr(memory, pitch, width_bytes, height), value,
                             make_cudaExtent(width_bytes, height, 1), stream);
}

cudaError_t cudaMemset2D(void* memory, std::size_t pitch, int value, std::size_t width_bytes,
                         std::size_t height) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_filled(cudaMemset2DAsync(memory, pitch, value, width_bytes, height, nullptr), memory);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
    const auto& [width_bytes, height, depth] = extent;
    if (width_bytes == 0 || height == 0 || depth == 0) return result(cudaSuccess);
    const std::size_t slice_rows = depth > 1 ? memory.ysize : height;
    if (!is_gpu_memory(memory.ptr, extent_of(memory.pitch, width_bytes, (depth - 1) * slice_rows + height)))
        return result(cudaErrorInvalidValue);
    const auto fill = [=] {
        for (std::size_t z = 0; z < extent.depth; ++z)
            for (std::size_t y = 0; y < extent.height; ++y)
                std::memset(row(memory.ptr, memory.pitch, z * slice_rows + y), value, extent.width);
    };
    if (depth > 1) return enqueue(stream, {cudaGraphNodeTypeMemset, fill});
    return enqueue(stream, {cudaGraphNodeTypeMemset, fill,
                            cudaMemsetParams{memory.ptr, memory.pitch, static_cast<unsigned>(value), 1,
                                             width_bytes, height}});
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_filled(cudaMemset3DAsync(memory, value, extent, nullptr), memory.ptr);
}

// ----- Copies between GPUs, and of variables

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
    const auto count = static_cast<int>(gpu_states().size());
    if (to_device < 0 || to_device >= count || from_device < 0 || from_device >= count)
        return result(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
    finish_all();
    return when_done(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr), nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    if (symbol == nullptr) return result(cudaErrorInvalidSymbol);
    await_users_of_variables();
    return cudaMemcpyAsync(static_cast<std::byte*>(const_cast<void*>(symbol)) + offset, from, bytes,
                           kind_for(symbol, kind), stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    if (symbol == nullptr) return result(cudaErrorInvalidSymbol);
    return cudaMemcpyAsync(to, static_cast<const std::byte*>(symbol) + offset, bytes, kind_for(symbol, kind),
                           stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr), nullptr);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, nullptr), nullptr);
}
