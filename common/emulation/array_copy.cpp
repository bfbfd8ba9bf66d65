// Copies to and from CUDA arrays.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "common/emulation/array.hpp"
#include "common/emulation/device.hpp"
#include "common/emulation/stream.hpp"

namespace cudabook::emulation {
namespace {

/// One end of a copy: its first byte, and how far apart rows and slices are.
struct End {
    std::byte* first = nullptr;
    std::size_t row_bytes = 0;
    std::size_t slice_bytes = 0;
};

/// What is copied.
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

cudaError_t copy(const End& to, const End& from, const Block& block, cudaStream_t stream) {
    if (block.empty()) return cudaSuccess;
    return enqueue(stream, [to, from, block] {
        for (std::size_t slice = 0; slice < block.slices; ++slice)
            for (std::size_t row = 0; row < block.rows; ++row)
                std::memcpy(to.first + slice * to.slice_bytes + row * to.row_bytes,
                            from.first + slice * from.slice_bytes + row * from.row_bytes, block.row_bytes);
    });
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
    return copy(target, source, block, stream);
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
    return copy(target, source, block, stream);
}

/// cudaMemcpy3D's reference: a kind that takes an array for host memory is corrected.
cudaMemcpyKind corrected(cudaMemcpyKind kind, bool to_array, bool from_array) {
    if (kind == cudaMemcpyDefault) return kind;
    const bool to_device = to_array || kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = from_array || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (to_device) return from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

cudaError_t copy_3d(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const cudaMemcpy3DParms& p = *parameters;
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
    return copy(to, from, block, stream);
}

}  // namespace
}  // namespace cudabook::emulation

using cudabook::emulation::result;
using cudabook::emulation::synchronous;

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                std::size_t from_pitch, std::size_t width_bytes, std::size_t height,
                                cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return cudaMemcpy2DToArrayAsync(to, x_bytes, y, from, from_pitch, width_bytes, height, kind, nullptr);
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
    return cudaMemcpy2DFromArrayAsync(to, to_pitch, from, x_bytes, y, width_bytes, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                       std::size_t x_bytes, std::size_t y, std::size_t width_bytes,
                                       std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return result(cudabook::emulation::copy_from_array(to, to_pitch, from, x_bytes, y, width_bytes, height,
                                                       kind, stream));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return cudaMemcpy3DAsync(copy, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
    return result(cudabook::emulation::copy_3d(copy, stream));
}
