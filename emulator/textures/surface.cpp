#include "emulator/textures/surface.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "emulator/engine/block.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/textures/array.hpp"
#include "emulator/textures/slot_numbers.hpp"

namespace cudabook::emulation {

constinit std::array<SurfaceSlot, most_surfaces + 1> surface_slots{};

std::byte* surface_memory(cudaSurfaceObject_t surface, const SurfacePoint& point, std::size_t bytes,
                          cudaSurfaceBoundaryMode mode) {
    const SurfaceSlot& slot = surface_slots[surface <= most_surfaces ? surface : 0];
    if (slot.texels == nullptr) fail_kernel(fmt::format("surface object {} does not exist", surface));
    if (slot.shape != point.shape)
        fail_kernel(fmt::format("surface object {} is over an array of another kind than the function is for",
                                surface));
    const auto size = static_cast<std::int64_t>(bytes);
    if (point.x_bytes % size != 0)
        fail_kernel(
            fmt::format("surface coordinate x = {} bytes is no multiple of the {} bytes read or written",
                        point.x_bytes, bytes));
    // Bytes behind the last whole value of a row are out of range.
    const std::array<std::int64_t, 3> last{slot.width_bytes / size - 1, std::int64_t{slot.height} - 1,
                                           std::int64_t{slot.depth} - 1};
    std::array<std::int64_t, 3> at{point.x_bytes / size, point.y, point.z};
    bool in_range = true;
    for (std::size_t d = 0; d < 3; ++d) in_range = in_range && at[d] >= 0 && at[d] <= last[d];
    if (!in_range && mode == cudaBoundaryModeZero) return nullptr;
    if (!in_range && mode == cudaBoundaryModeTrap)
        fail_kernel(fmt::format("surface coordinate ({} bytes, {}, {}) is not within {} bytes x {} x {}",
                                point.x_bytes, point.y, point.z, slot.width_bytes, slot.height, slot.depth));
    for (std::size_t d = 0; d < 3; ++d) at[d] = std::max<std::int64_t>(std::min(at[d], last[d]), 0);
    return slot.texels + static_cast<std::size_t>(at[2]) * slot.slice_bytes +
           static_cast<std::size_t>(at[1]) * slot.row_bytes + static_cast<std::size_t>(at[0] * size);
}

namespace {

struct Surfaces {
    std::mutex mutex;
    SlotNumbers numbers{most_surfaces};
};
Surfaces& all_surfaces() {
    static Surfaces surfaces;
    return surfaces;
}

cudaError_t create_surface(cudaSurfaceObject_t* to, const cudaResourceDesc* resource) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (to == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    const cudaArray_t array = resource->res.array.array;
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    const Image& image = array->image;
    const std::lock_guard lock(all_surfaces().mutex);
    const std::size_t number = all_surfaces().numbers.take();
    if (number == 0) return cudaErrorMemoryAllocation;
    surface_slots[number] = {.texels = image.texels,
                             .width_bytes = static_cast<std::uint32_t>(image.row_bytes),
                             .height = static_cast<std::uint32_t>(image.height),
                             .depth = static_cast<std::uint32_t>(image.depth),
                             .shape = array->shape,
                             .row_bytes = image.row_bytes,
                             .slice_bytes = image.slice_bytes,
                             .gpu = &current_state()};
    *to = number;
    return cudaSuccess;
}

cudaError_t destroy_surface(cudaSurfaceObject_t surface) {
    const std::lock_guard lock(all_surfaces().mutex);
    if (surface > most_surfaces || surface_slots[surface].texels == nullptr) return cudaErrorInvalidValue;
    surface_slots[surface] = {};
    all_surfaces().numbers.give_back(surface);
    return cudaSuccess;
}

}  // namespace

void destroy_surfaces_of(const GpuState& gpu) {
    const std::lock_guard lock(all_surfaces().mutex);
    for (std::size_t number = 1; number < all_surfaces().numbers.next(); ++number) {
        if (surface_slots[number].gpu != &gpu) continue;
        surface_slots[number] = {};
        all_surfaces().numbers.give_back(number);
    }
}

}  // namespace cudabook::emulation

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
    return cudabook::emulation::result(cudabook::emulation::create_surface(surface, resource));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    cudabook::emulation::finish_all();
    return cudabook::emulation::result(cudabook::emulation::destroy_surface(surface));
}
