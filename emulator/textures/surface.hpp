// Surface objects for kernels: a table of the objects, which kernels read without a lock, and the functions
// that read and write a surface. surface_functions.h gives the functions CUDA's names.
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

/// A surface object. An unused slot is all zero.
struct alignas(64) SurfaceSlot {
    std::byte* texels = nullptr;
    std::uint32_t width_bytes = 0;
    std::uint32_t height = 0;
    std::uint32_t depth = 0;  ///< slices of a volume, layers or faces
    TextureKind shape{};
    std::size_t row_bytes = 0;
    std::size_t slice_bytes = 0;
    const GpuState* gpu = nullptr;
};

inline constexpr std::size_t most_surfaces = std::size_t{1} << 16U;

/// The slots of all surface objects. A handle is the number of a slot. Slot 0 stays empty.
extern std::array<SurfaceSlot, most_surfaces + 1> surface_slots;

/// The place at which a surface is read or written. A missing dimension is 0.
struct SurfacePoint {
    TextureKind shape{};
    int x_bytes = 0;
    int y = 0;
    int z = 0;  ///< in layers and cubes: the layer, the face, or 6 * layer + face
};

/// Returns the address of the `bytes` bytes at a point of the surface. If the point is outside the surface,
/// returns null for cudaBoundaryModeZero, returns the address of the nearest bytes for cudaBoundaryModeClamp,
/// and fails the kernel for cudaBoundaryModeTrap. Also fails the kernel if the surface object does not exist,
/// if its shape is not the point's shape, or if x is no multiple of `bytes`.
std::byte* surface_memory(cudaSurfaceObject_t surface, const SurfacePoint& point, std::size_t bytes,
                          cudaSurfaceBoundaryMode mode);

/// Does what surface_memory() does, for the bytes of a T. Calls surface_memory() only if the point is out of
/// range or an argument is wrong.
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

/// The types of the values that can be read from and written to a surface. They have 1, 2, 4, 8 or 16 bytes.
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
