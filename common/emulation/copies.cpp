// Copies and fills of memory that is not in CUDA arrays.
#include <cstring>

#include "common/emulation/device.hpp"
#include "common/emulation/stream.hpp"

using namespace cudabook::emulation;

namespace {

/// The start of a row.
std::byte* row(void* memory, std::size_t pitch, std::size_t y) {
    return static_cast<std::byte*>(memory) + y * pitch;
}
const std::byte* row(const void* memory, std::size_t pitch, std::size_t y) {
    return static_cast<const std::byte*>(memory) + y * pitch;
}

bool is_gpu_memory(const void* memory, std::size_t bytes) {
    return memory_type(memory) != cudaMemoryTypeUnregistered && is_in_bounds(memory, bytes);
}

/// From the first byte of the first row to the last of the last.
std::size_t extent(std::size_t pitch, std::size_t width_bytes, std::size_t height) {
    return (height - 1) * pitch + width_bytes;
}

}  // namespace

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (bytes == 0) return result(cudaSuccess);
    if (kind > cudaMemcpyDefault) return result(cudaErrorInvalidMemcpyDirection);
    if (to == nullptr || from == nullptr || !direction_is_right(kind, memory_type(to), memory_type(from)) ||
        !is_in_bounds(to, bytes) || !is_in_bounds(from, bytes))
        return result(cudaErrorInvalidValue);
    return enqueue(stream, [=] { std::memmove(to, from, bytes); });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    if (width_bytes == 0 || height == 0) return result(cudaSuccess);
    if (to_pitch < width_bytes || from_pitch < width_bytes) return result(cudaErrorInvalidPitchValue);
    if (kind > cudaMemcpyDefault) return result(cudaErrorInvalidMemcpyDirection);
    if (to == nullptr || from == nullptr || !direction_is_right(kind, memory_type(to), memory_type(from)) ||
        !is_in_bounds(to, extent(to_pitch, width_bytes, height)) ||
        !is_in_bounds(from, extent(from_pitch, width_bytes, height)))
        return result(cudaErrorInvalidValue);
    return enqueue(stream, [=] {
        for (std::size_t y = 0; y < height; ++y)
            std::memmove(row(to, to_pitch, y), row(from, from_pitch, y), width_bytes);
    });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width_bytes, std::size_t height, cudaMemcpyKind kind) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width_bytes, height, kind, nullptr);
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    if (bytes == 0) return result(cudaSuccess);
    if (!is_gpu_memory(memory, bytes)) return result(cudaErrorInvalidValue);
    return enqueue(stream, [=] { std::memset(memory, value, bytes); });
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return cudaMemsetAsync(memory, value, bytes, nullptr);
}

cudaError_t cudaMemset2D(void* memory, std::size_t pitch, int value, std::size_t width_bytes,
                         std::size_t height) {
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    if (width_bytes == 0 || height == 0) return result(cudaSuccess);
    if (pitch < width_bytes || !is_gpu_memory(memory, extent(pitch, width_bytes, height)))
        return result(cudaErrorInvalidValue);
    return enqueue(nullptr, [=] {
        for (std::size_t y = 0; y < height; ++y) std::memset(row(memory, pitch, y), value, width_bytes);
    });
}
