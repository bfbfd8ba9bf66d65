// Copies to and from CUDA arrays.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/runtime/device.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/runtime/stream.hpp"
#include "emulator/textures/array.hpp"

namespace cudabook::emulation {
namespace {

/// The source or the target of a copy: its first byte, and the pitches of rows and slices in bytes.
struct End {
    std::byte* first = nullptr;
    std::size_t row_bytes = 0;
    std::size_t slice_bytes = 0;
};

/// The size of a copy.
struct Block {
    std::size_t row_bytes = 0;
    std::size_t rows = 0;
    std::size_t slices = 0;
    [[nodiscard]] bool empty() const { return row_bytes == 0 || rows == 0 || slices == 0; }
};

bool contains(std::size_t size, std::size_t from, std::size_t count) {
    return count <= size && from <= size - count;
}

cudaError_t end_in_array(End& end, cudaArray_const_t array, std::size_t x_bytes, std::size_t y, std::size_t z,
                         const Block& block) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    const Image& image = array->image;
    if (!contains(image.row_bytes, x_bytes, block.row_bytes) ||
        !contains(static_cast<std::size_t>(image.height), y, block.rows) ||
        !contains(static_cast<std::size_t>(image.depth), z, block.slices))
        return cudaErrorInvalidValue;
    end = {image.texels + z * image.slice_bytes + y * image.row_bytes + x_bytes, image.row_bytes,
           image.slice_bytes};
    return cudaSuccess;
}

cudaError_t end_in_memory(End& end, const cudaPitchedPtr& memory, const cudaPos& at, const Block& block) {
    const bool one_row = block.rows <= 1 && block.slices <= 1 && at.y == 0 && at.z == 0;
    if (!one_row && !contains(memory.pitch, at.x, block.row_bytes)) return cudaErrorInvalidPitchValue;
    if ((block.slices > 1 || at.z > 0) && !contains(memory.ysize, at.y, block.rows))
        return cudaErrorInvalidValue;
    const std::size_t slice_bytes = memory.pitch * memory.ysize;
    end = {static_cast<std::byte*>(memory.ptr) + at.z * slice_bytes + at.y * memory.pitch + at.x,
           memory.pitch, slice_bytes};
    if (block.empty()) return cudaSuccess;
    const std::size_t bytes =
        (block.slices - 1) * slice_bytes + (block.rows - 1) * memory.pitch + block.row_bytes;
    return is_in_bounds(end.first, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

/// Returns the task that copies. `parameters` describe the copy in a graph's node.
Task task_of(const End& to, const End& from, const Block& block, const cudaMemcpy3DParms& parameters) {
    const auto copy = [to, from, block] {
        for (std::size_t slice = 0; slice < block.slices; ++slice)
            for (std::size_t row = 0; row < block.rows; ++row)
                std::memcpy(to.first + slice * to.slice_bytes + row * to.row_bytes,
                            from.first + slice * from.slice_bytes + row * from.row_bytes, block.row_bytes);
    };
    return {cudaGraphNodeTypeMemcpy, copy, parameters};
}

/// Enqueues a copy, and waits for it if CUDA waits for such a copy.
cudaError_t enqueue_copy(cudaStream_t stream, Task task, const cudaMemcpy3DParms& parameters) {
    const cudaError_t error = enqueue(stream, std::move(task));
    const void* const to = parameters.dstPtr.ptr;
    const void* const from = parameters.srcPtr.ptr;
    bool waits = false;
    if (to != nullptr && from != nullptr)
        waits = copy_is_synchronous(to, from);
    else if (to != nullptr || from != nullptr)  // the other end is an array
        waits = memory_type(to == nullptr ? from : to) == cudaMemoryTypeUnregistered;
    return waits ? when_done(error, stream) : error;
}

cudaError_t copy(const End& to, const End& from, const Block& block, const cudaMemcpy3DParms& parameters,
                 cudaStream_t stream) {
    if (block.empty()) return cudaSuccess;
    return enqueue_copy(stream, task_of(to, from, block, parameters), parameters);
}

cudaError_t copy_to_array(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                          std::size_t pitch, std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind,
                          cudaStream_t stream) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const Block block{width_bytes, height, 1};
    End target;
    End source;
    if (const cudaError_t error = end_in_array(target, to, x_bytes, y, 0, block); error != cudaSuccess)
        return error;
    const cudaPitchedPtr memory = make_cudaPitchedPtr(const_cast<void*>(from), pitch, width_bytes, height);
    if (from == nullptr && !block.empty()) return cudaErrorInvalidValue;
    if (const cudaError_t error = end_in_memory(source, memory, {}, block); error != cudaSuccess)
        return error;
    if (!direction_is_right(kind, cudaMemoryTypeDevice, memory_type(from)))
        return cudaErrorInvalidMemcpyDirection;
    cudaMemcpy3DParms parameters{};
    parameters.dstArray = to;
    parameters.dstPos = {x_bytes / texel_bytes(to->format), y, 0};
    parameters.srcPtr = memory;
    parameters.extent = {width_bytes / texel_bytes(to->format), height, 1};
    parameters.kind = kind;
    return copy(target, source, block, parameters, stream);
}

cudaError_t copy_from_array(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x_bytes,
                            std::size_t y, std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const Block block{width_bytes, height, 1};
    End target;
    End source;
    if (const cudaError_t error = end_in_array(source, from, x_bytes, y, 0, block); error != cudaSuccess)
        return error;
    const cudaPitchedPtr memory = make_cudaPitchedPtr(to, pitch, width_bytes, height);
    if (to == nullptr && !block.empty()) return cudaErrorInvalidValue;
    if (const cudaError_t error = end_in_memory(target, memory, {}, block); error != cudaSuccess)
        return error;
    if (!direction_is_right(kind, memory_type(to), cudaMemoryTypeDevice))
        return cudaErrorInvalidMemcpyDirection;
    cudaMemcpy3DParms parameters{};
    parameters.srcArray = const_cast<cudaArray_t>(from);
    parameters.srcPos = {x_bytes / texel_bytes(from->format), y, 0};
    parameters.dstPtr = memory;
    parameters.extent = {width_bytes / texel_bytes(from->format), height, 1};
    parameters.kind = kind;
    return copy(target, source, block, parameters, stream);
}

/// Corrects a kind that treats an array as host memory, as cudaMemcpy3D's reference says.
cudaMemcpyKind corrected(cudaMemcpyKind kind, bool to_array, bool from_array) {
    if (kind == cudaMemcpyDefault) return kind;
    const bool to_device = to_array || kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = from_array || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (to_device) return from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

/// Makes the task of a copy. The task does nothing if the copy is empty.
cudaError_t make_copy(Task& task, const cudaMemcpy3DParms& p) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const bool to_array = p.dstArray != nullptr;
    const bool from_array = p.srcArray != nullptr;
    if (to_array == (p.dstPtr.ptr != nullptr) || from_array == (p.srcPtr.ptr != nullptr))
        return cudaErrorInvalidValue;
    if ((to_array && !is_array(p.dstArray)) || (from_array && !is_array(p.srcArray)))
        return cudaErrorInvalidResourceHandle;
    if (p.kind < cudaMemcpyHostToHost || p.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    const std::size_t to_texel = to_array ? texel_bytes(p.dstArray->format) : 1;
    const std::size_t from_texel = from_array ? texel_bytes(p.srcArray->format) : 1;
    if (to_array && from_array && to_texel != from_texel) return cudaErrorInvalidValue;
    const Block block{p.extent.width * std::max(to_texel, from_texel), p.extent.height, p.extent.depth};
    task = {cudaGraphNodeTypeMemcpy, {}, p};
    if (block.empty()) return cudaSuccess;
    const auto end = [&block](End& found, cudaArray_const_t array, const cudaPitchedPtr& memory,
                              const cudaPos& at) {
        return array == nullptr
                   ? end_in_memory(found, memory, at, block)
                   : end_in_array(found, array, at.x * texel_bytes(array->format), at.y, at.z, block);
    };
    End to;
    End from;
    if (const cudaError_t error = end(to, p.dstArray, p.dstPtr, p.dstPos); error != cudaSuccess) return error;
    if (const cudaError_t error = end(from, p.srcArray, p.srcPtr, p.srcPos); error != cudaSuccess)
        return error;
    const cudaMemoryType to_type = to_array ? cudaMemoryTypeDevice : memory_type(p.dstPtr.ptr);
    const cudaMemoryType from_type = from_array ? cudaMemoryTypeDevice : memory_type(p.srcPtr.ptr);
    if (!direction_is_right(corrected(p.kind, to_array, from_array), to_type, from_type))
        return cudaErrorInvalidMemcpyDirection;
    task = task_of(to, from, block, p);
    return cudaSuccess;
}

}  // namespace

cudaError_t make_copy_task(Task& task, const cudaMemcpy3DParms& copy) {
    const cudaError_t error = make_copy(task, copy);
    if (error != cudaErrorInvalidValue) return result(error);
    const auto& [width, height, depth] = copy.extent;
    return refuse_work(
        error,
        fmt::format("a copy of {} x {} x {} {} that its source or destination does not have", width, height,
                    depth, copy.srcArray != nullptr || copy.dstArray != nullptr ? "elements" : "bytes"));
}

}  // namespace cudabook::emulation

using cudabook::emulation::result;
using cudabook::emulation::synchronous;
using cudabook::emulation::when_done;

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                std::size_t from_pitch, std::size_t width_bytes, std::size_t height,
                                cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(
        cudaMemcpy2DToArrayAsync(to, x_bytes, y, from, from_pitch, width_bytes, height, kind, nullptr),
        nullptr);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                     std::size_t from_pitch, std::size_t width_bytes, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return result(cudabook::emulation::copy_to_array(to, x_bytes, y, from, from_pitch, width_bytes, height,
                                                     kind, stream));
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x_bytes,
                                  std::size_t y, std::size_t width_bytes, std::size_t height,
                                  cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(
        cudaMemcpy2DFromArrayAsync(to, to_pitch, from, x_bytes, y, width_bytes, height, kind, nullptr),
        nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                       std::size_t x_bytes, std::size_t y, std::size_t width_bytes,
                                       std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return result(cudabook::emulation::copy_from_array(to, to_pitch, from, x_bytes, y, width_bytes, height,
                                                       kind, stream));
}

namespace {

/// Splits a copy of `bytes` bytes, which begins in row y, into the rest of that row, whole rows and the
/// begin of the last row. For each part, calls copy_rows(row, first byte in the row, bytes per row, number
/// of rows, bytes already copied).
template <class CopyRows>
cudaError_t copy_through_rows(cudaArray_const_t array, std::size_t x_bytes, std::size_t y, std::size_t bytes,
                              CopyRows copy_rows) {
    if (!cudabook::emulation::is_array(array)) return cudaErrorInvalidResourceHandle;
    const std::size_t row_bytes = array->extent.width * cudabook::emulation::texel_bytes(array->format);
    if (x_bytes >= row_bytes) return bytes == 0 ? cudaSuccess : cudaErrorInvalidValue;
    std::size_t done = 0;
    while (done < bytes) {
        const std::size_t left = bytes - done;
        const std::size_t rows = x_bytes == 0 && left >= row_bytes ? left / row_bytes : 1;
        const std::size_t width = rows > 1 ? row_bytes : std::min(left, row_bytes - x_bytes);
        if (const cudaError_t error = copy_rows(y, x_bytes, width, rows, done); error != cudaSuccess)
            return error;
        done += width * rows;
        y += rows;
        x_bytes = 0;
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return result(
        copy_through_rows(to, x_bytes, y, bytes, [&](auto row, auto x, auto width, auto rows, auto done) {
            return cudaMemcpy2DToArrayAsync(to, x, row, static_cast<const std::byte*>(from) + done, width,
                                            width, rows, kind, stream);
        }));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(cudaMemcpyToArrayAsync(to, x_bytes, y, from, bytes, kind, nullptr), nullptr);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x_bytes, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return result(
        copy_through_rows(from, x_bytes, y, bytes, [&](auto row, auto x, auto width, auto rows, auto done) {
            return cudaMemcpy2DFromArrayAsync(static_cast<std::byte*>(to) + done, width, from, x, row, width,
                                              rows, kind, stream);
        }));
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x_bytes, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(cudaMemcpyFromArrayAsync(to, from, x_bytes, y, bytes, kind, nullptr), nullptr);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x_bytes, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x_bytes, std::size_t from_y,
                                     std::size_t width_bytes, std::size_t height, cudaMemcpyKind /*kind*/) {
    if (!cudabook::emulation::is_array(to) || !cudabook::emulation::is_array(from))
        return result(cudaErrorInvalidResourceHandle);
    const std::size_t texel = cudabook::emulation::texel_bytes(to->format);
    if (to_x_bytes % texel != 0 || from_x_bytes % texel != 0 || width_bytes % texel != 0)
        return result(cudaErrorInvalidValue);
    cudaMemcpy3DParms copy{};
    copy.srcArray = const_cast<cudaArray_t>(from);
    copy.srcPos = make_cudaPos(from_x_bytes / texel, from_y, 0);
    copy.dstArray = to;
    copy.dstPos = make_cudaPos(to_x_bytes / texel, to_y, 0);
    copy.extent = make_cudaExtent(width_bytes / texel, height, 1);
    copy.kind = cudaMemcpyDeviceToDevice;
    return cudaMemcpy3D(&copy);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x_bytes, std::size_t to_y,
                                   cudaArray_const_t from, std::size_t from_x_bytes, std::size_t from_y,
                                   std::size_t bytes, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    // The rows of the two arrays may end at different places.
    std::vector<std::byte> between(bytes);
    if (const cudaError_t error =
            cudaMemcpyFromArray(between.data(), from, from_x_bytes, from_y, bytes, cudaMemcpyDeviceToHost);
        error != cudaSuccess)
        return error;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return result(cudaErrorInvalidMemcpyDirection);
    return cudaMemcpyToArray(to, to_x_bytes, to_y, between.data(), bytes, cudaMemcpyHostToDevice);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return when_done(cudaMemcpy3DAsync(copy, nullptr), nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
    cudabook::emulation::Task task;
    if (copy == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = make_copy_task(task, *copy); error != cudaSuccess) return error;
    return task.run ? cudabook::emulation::enqueue_copy(stream, std::move(task), *copy) : cudaSuccess;
}

// The devices do not matter, because all memory is the host's.
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* copy, cudaStream_t stream) {
    if (copy == nullptr) return result(cudaErrorInvalidValue);
    const auto count = static_cast<int>(cudabook::emulation::gpu_states().size());
    if (copy->srcDevice < 0 || copy->srcDevice >= count || copy->dstDevice < 0 || copy->dstDevice >= count)
        return result(cudaErrorInvalidDevice);
    const cudaMemcpy3DParms parameters{copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
                                       copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
    return cudaMemcpy3DAsync(&parameters, stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* copy) {
    cudabook::emulation::finish_all();
    return when_done(cudaMemcpy3DPeerAsync(copy, nullptr), nullptr);
}
