// What kernels know of surface objects: a table that they read without a lock, and reads and writes of bytes.
// cuda_runtime.h gives them CUDA's names.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cuda_runtime_api.h>

#include "emulator/textures/texture.hpp"

namespace cudabook::emulation {

class GpuState;

/// A surface object. All zero: there is none.
struct alignas(64) SurfaceSlot {
    std::byte* texels = nullptr;
    std::uint32_t width_bytes = 0;
    std::uint32_t height = 0;
    std::uint32_t depth = 0;  ///< slices: of a volume, layers, faces
    Shape shape{};
    std::size_t row_bytes = 0;
    std::size_t slice_bytes = 0;
    const GpuState* gpu = nullptr;
};

inline constexpr std::size_t most_surfaces = std::size_t{1} << 16U;

/// A handle is the number of its slot; slot 0 stays empty.
extern std::array<SurfaceSlot, most_surfaces + 1> surface_slots;

/// Where a surface is read or written. A missing dimension is 0.
struct SurfacePoint {
    Shape shape{};
    int x_bytes = 0;
    int y = 0;
    int z = 0;  ///< or the layer, the face, or 6 * the layer + the face
};

/// The memory of `bytes` bytes there, or of what the mode says instead of out of range; null for
/// cudaBoundaryModeZero. cudaBoundaryModeTrap, a missing surface object and one of another shape fail the
/// kernel, and so does an x that is no multiple of `bytes`.
std::byte* surface_memory(cudaSurfaceObject_t surface, const SurfacePoint& point, std::size_t bytes,
                          cudaSurfaceBoundaryMode mode);

/// The same, where a point in range takes no call.
template <class T>
std::byte* surface_memory_of(cudaSurfaceObject_t surface, const SurfacePoint& point,
                             cudaSurfaceBoundaryMode mode) {
    const SurfaceSlot& slot = surface_slots[surface <= most_surfaces ? surface : 0];
    const auto x = static_cast<std::uint32_t>(point.x_bytes);
    const auto y = static_cast<std::uint32_t>(point.y);
    const auto z = static_cast<std::uint32_t>(point.z);
    const bool in_range = x < slot.width_bytes && slot.width_bytes - x >= sizeof(T) && x % sizeof(T) == 0 &&
                          y < slot.height && z < slot.depth && slot.shape == point.shape;
    if (!in_range) return surface_memory(surface, point, sizeof(T), mode);
    return slot.texels + z * slot.slice_bytes + y * slot.row_bytes + x;
}

/// What a surface can be read and written as: 1, 2, 4, 8 or 16 bytes.
template <class T>
concept IsSurfaceValue = std::is_trivially_copyable_v<T> &&
    (IsTexel<T> || (std::integral<Component<T>> && sizeof(Component<T>) == 8 && component_count<T> <= 2));

template <IsSurfaceValue T>
T read_surface(cudaSurfaceObject_t surface, const SurfacePoint& point, cudaSurfaceBoundaryMode mode) {
    const std::byte* memory = surface_memory_of<T>(surface, point, mode);
    return memory == nullptr ? T{} : load<T>(memory);
}

template <IsSurfaceValue T>
void write_surface(const T& value, cudaSurfaceObject_t surface, const SurfacePoint& point,
                   cudaSurfaceBoundaryMode mode) {
    std::byte* memory = surface_memory_of<T>(surface, point, mode);
    if (memory != nullptr) std::memcpy(memory, &value, sizeof value);
}

}  // namespace cudabook::emulation
