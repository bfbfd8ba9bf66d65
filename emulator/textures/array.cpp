#include "emulator/textures/array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <unordered_set>
#include <utility>

#include "emulator/checks/memory_marks.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/pending_work.hpp"

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

namespace cudabook::emulation {
namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

/// The arrays that have not been freed. The levels of mipmapped arrays are arrays, too.
struct Arrays {
    std::mutex mutex;
    std::unordered_set<cudaArray_const_t> arrays;
    std::unordered_set<cudaArray_const_t> levels;
    std::unordered_set<cudaMipmappedArray_const_t> mipmapped;
};
Arrays& all_arrays() {
    static Arrays arrays;
    return arrays;
}

/// Returns the shape that cudaMalloc3DArray derives from an extent and flags, or nothing if there is no such
/// array.
std::optional<TextureKind> shape_of(const cudaExtent& extent, unsigned flags) {
    const auto [width, height, depth] = extent;
    const bool layered = (flags & cudaArrayLayered) != 0;
    if (width == 0) return std::nullopt;
    if ((flags & cudaArrayCubemap) != 0) {
        if (width != height || depth == 0 || depth % 6 != 0) return std::nullopt;
        if (layered) return TextureKind::cube_layers;
        return depth == 6 ? std::optional(TextureKind::cube) : std::nullopt;
    }
    if (layered && depth == 0) return std::nullopt;
    if (height == 0 && depth != 0 && !layered) return std::nullopt;
    if (layered) return height == 0 ? TextureKind::line_layers : TextureKind::plane_layers;
    if (height == 0) return TextureKind::line;
    return depth == 0 ? TextureKind::plane : TextureKind::volume;
}

bool within(const cudaExtent& extent, const std::array<int, 3>& most) {
    return extent.width <= static_cast<std::size_t>(most[0]) &&
           extent.height <= static_cast<std::size_t>(most[1]) &&
           extent.depth <= static_cast<std::size_t>(most[2]);
}

/// Returns whether the current GPU supports the array. Source: the tables in the references of
/// cudaMalloc3DArray and cudaMallocMipmappedArray.
bool fits(TextureKind shape, const cudaExtent& extent, unsigned flags, bool mipmapped) {
    const TextureLimits& most = current_gpu().textures;
    const bool surface = (flags & cudaArraySurfaceLoadStore) != 0;
    switch (shape) {
        case TextureKind::line:
            return within(extent, {mipmapped ? most.mipmapped_1d : most.array_1d, 0, 0}) &&
                   (!surface || within(extent, {most.surface_1d, 0, 0}));
        case TextureKind::plane: {
            const bool gathered = (flags & cudaArrayTextureGather) != 0;
            const std::array<int, 2> plane = mipmapped ? most.mipmapped_2d : most.array_2d;
            return within(extent, {plane[0], plane[1], 0}) &&
                   (!gathered || within(extent, {most.gather_2d[0], most.gather_2d[1], 0})) &&
                   (!surface || within(extent, {most.surface_2d[0], most.surface_2d[1], 0}));
        }
        case TextureKind::volume:
            return (within(extent, most.array_3d) || within(extent, most.alternate_3d)) &&
                   (!surface || within(extent, most.surface_3d));
        case TextureKind::line_layers:
            return within(extent, {most.layered_1d[0], 0, most.layered_1d[1]}) &&
                   (!surface || within(extent, {most.surface_layered_1d[0], 0, most.surface_layered_1d[1]}));
        case TextureKind::plane_layers:
            return within(extent, most.layered_2d) && (!surface || within(extent, most.surface_layered_2d));
        case TextureKind::cube:
            return within(extent, {most.cubemap, most.cubemap, 6}) &&
                   (!surface || within(extent, {most.surface_cubemap, most.surface_cubemap, 6}));
        case TextureKind::cube_layers: {
            const auto [width, layers] = most.layered_cubemap;
            const auto [surface_width, surface_layers] = most.surface_layered_cubemap;
            return within(extent, {width, width, layers}) &&
                   (!surface || within(extent, {surface_width, surface_width, surface_layers}));
        }
        case TextureKind::linear:
            break;
    }
    return false;
}

/// Returns the shape that these arguments ask for, or an error.
std::pair<TextureKind, cudaError_t> checked(const cudaChannelFormatDesc* format, const cudaExtent& extent,
                                            unsigned flags, bool mipmapped) {
    if (format == nullptr) return {{}, cudaErrorInvalidValue};
    if (!is_format(*format)) return {{}, cudaErrorInvalidChannelDescriptor};
    if ((flags & ~known_flags) != 0) return {{}, cudaErrorInvalidValue};
    const std::optional<TextureKind> shape = shape_of(extent, flags);
    if (!shape || ((flags & cudaArrayTextureGather) != 0 && *shape != TextureKind::plane) ||
        !fits(*shape, extent, flags, mipmapped))
        return {{}, cudaErrorInvalidValue};
    return {*shape, cudaSuccess};
}

/// Returns an array that has no memory yet.
cudaArray array_of(const cudaChannelFormatDesc& format, const cudaExtent& extent, unsigned flags,
                   TextureKind shape) {
    const auto size = [](std::size_t texels) { return static_cast<int>(std::max<std::size_t>(texels, 1)); };
    Image image{.width = size(extent.width), .height = size(extent.height), .depth = size(extent.depth)};
    image.row_bytes = static_cast<std::size_t>(image.width) * texel_bytes(format);
    image.slice_bytes = static_cast<std::size_t>(image.height) * image.row_bytes;
    return {format, extent, flags, shape, image, &current_state()};
}

std::size_t bytes_of(const cudaArray& array) {
    return static_cast<std::size_t>(array.image.depth) * array.image.slice_bytes;
}

/// Returns the extent of a level. Each level has the same number of layers and faces.
cudaExtent extent_of_level(const cudaExtent& extent, TextureKind shape, unsigned level) {
    const auto part = [level](std::size_t texels) {
        return texels == 0 ? 0 : std::max<std::size_t>(texels >> level, 1);
    };
    return {part(extent.width), part(extent.height),
            shape == TextureKind::volume ? part(extent.depth) : extent.depth};
}

cudaError_t malloc_array(cudaArray_t* to, const cudaChannelFormatDesc* format, const cudaExtent& extent,
                         unsigned flags) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (to == nullptr) return cudaErrorInvalidValue;
    const auto [shape, error] = checked(format, extent, flags, false);
    if (error != cudaSuccess) return error;
    auto array = std::make_unique<cudaArray>(array_of(*format, extent, flags, shape));
    array->image.texels = static_cast<std::byte*>(allocate_on_gpu(bytes_of(*array), HostAccess::allowed));
    if (array->image.texels == nullptr) return cudaErrorMemoryAllocation;
    mark_unwritten(array->image.texels, bytes_of(*array));
    const std::lock_guard lock(all_arrays().mutex);
    all_arrays().arrays.insert(array.get());
    *to = array.release();
    return cudaSuccess;
}

cudaError_t malloc_mipmapped_array(cudaMipmappedArray_t* to, const cudaChannelFormatDesc* format,
                                   const cudaExtent& extent, unsigned levels, unsigned flags) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (to == nullptr) return cudaErrorInvalidValue;
    const auto [shape, error] = checked(format, extent, flags, true);
    if (error != cudaSuccess) return error;
    const std::size_t longest =
        std::max({extent.width, extent.height, shape == TextureKind::volume ? extent.depth : 0});
    // The number of levels is clamped. Source: the reference of cuMipmappedArrayCreate.
    levels = std::clamp(levels, 1U, static_cast<unsigned>(std::bit_width(longest)));
    auto array = std::make_unique<cudaMipmappedArray>();
    std::size_t bytes = 0;
    std::vector<std::size_t> begins;
    for (unsigned i = 0; i < levels; ++i) {
        array->levels.push_back(array_of(*format, extent_of_level(extent, shape, i), flags, shape));
        begins.push_back(bytes);
        constexpr std::size_t aligned = 512;
        bytes += (bytes_of(array->levels.back()) + aligned - 1) / aligned * aligned;
    }
    array->memory = static_cast<std::byte*>(allocate_on_gpu(bytes, HostAccess::allowed));
    if (array->memory == nullptr) return cudaErrorMemoryAllocation;
    mark_unwritten(array->memory, bytes);
    array->gpu = &current_state();
    for (unsigned i = 0; i < levels; ++i) array->levels[i].image.texels = array->memory + begins[i];
    const std::lock_guard lock(all_arrays().mutex);
    for (const cudaArray& level : array->levels) all_arrays().levels.insert(&level);
    all_arrays().mipmapped.insert(array.get());
    *to = array.release();
    return cudaSuccess;
}

cudaError_t destroy_array(cudaArray_t array) {
    if (array == nullptr) return cudaSuccess;
    {
        const std::lock_guard lock(all_arrays().mutex);
        if (all_arrays().arrays.erase(array) == 0) return cudaErrorInvalidValue;
    }
    const std::unique_ptr<cudaArray> owned(array);
    free_on_gpu(owned->image.texels);
    return cudaSuccess;
}

cudaError_t free_mipmapped_array(cudaMipmappedArray_t array) {
    if (array == nullptr) return cudaSuccess;
    {
        const std::lock_guard lock(all_arrays().mutex);
        if (all_arrays().mipmapped.erase(array) == 0) return cudaErrorInvalidValue;
        for (const cudaArray& level : array->levels) all_arrays().levels.erase(&level);
    }
    const std::unique_ptr<cudaMipmappedArray> owned(array);
    free_on_gpu(owned->memory);
    return cudaSuccess;
}

}  // namespace

bool is_format(const cudaChannelFormatDesc& format) {
    const int bits = format.x;
    const int count = components(format);
    const bool all_alike = (count == 1 || count == 2 || count == 4) && (count < 2 || format.y == bits) &&
                           (count < 4 || (format.z == bits && format.w == bits)) &&
                           (count == 4 || format.w == 0);
    switch (format.f) {
        case cudaChannelFormatKindSigned:
        case cudaChannelFormatKindUnsigned:
            return all_alike && (bits == 8 || bits == 16 || bits == 32);
        case cudaChannelFormatKindFloat:
            return all_alike && (bits == 16 || bits == 32);
        default:
            return false;
    }
}

int components(const cudaChannelFormatDesc& format) {
    if (format.x == 0) return 0;
    if (format.y == 0) return format.z == 0 ? 1 : 0;
    if (format.z == 0) return 2;
    return format.w == 0 ? 3 : 4;
}

std::size_t texel_bytes(const cudaChannelFormatDesc& format) {
    return static_cast<std::size_t>(format.x) / 8 * static_cast<std::size_t>(components(format));
}

bool is_array(cudaArray_const_t array) {
    const std::lock_guard lock(all_arrays().mutex);
    return all_arrays().arrays.contains(array) || all_arrays().levels.contains(array);
}

bool is_mipmapped_array(cudaMipmappedArray_const_t array) {
    const std::lock_guard lock(all_arrays().mutex);
    return all_arrays().mipmapped.contains(array);
}

std::vector<PlaneInMemory> planes_in_memory() {
    const std::lock_guard lock(all_arrays().mutex);
    std::vector<PlaneInMemory> planes;
    for (const cudaArray_const_t array : all_arrays().arrays)
        if (array->shape == TextureKind::plane)
            planes.push_back({reinterpret_cast<std::uint64_t>(array->image.texels), bytes_of(*array),
                              array->image.row_bytes, texel_bytes(array->format), true});
    return planes;
}

void destroy_arrays_of(const GpuState& gpu) {
    const std::lock_guard lock(all_arrays().mutex);
    std::erase_if(all_arrays().levels, [&](cudaArray_const_t level) { return level->gpu == &gpu; });
    const auto destroyed = [&gpu](const auto* array) {
        const bool is_its = array->gpu == &gpu;
        if (is_its) delete array;
        return is_its;
    };
    std::erase_if(all_arrays().arrays, destroyed);
    std::erase_if(all_arrays().mipmapped, destroyed);
}

}  // namespace cudabook::emulation

using cudabook::emulation::result;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned flags) {
    return result(cudabook::emulation::malloc_array(array, format, {width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
    return result(cudabook::emulation::malloc_array(array, format, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    cudabook::emulation::finish_all();
    return result(cudabook::emulation::destroy_array(array));
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    if (!cudabook::emulation::is_array(array)) return result(cudaErrorInvalidResourceHandle);
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return result(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    if (format == nullptr) return result(cudaErrorInvalidValue);
    if (!cudabook::emulation::is_array(array)) return result(cudaErrorInvalidResourceHandle);
    *format = array->format;
    return result(cudaSuccess);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
    return result(cudabook::emulation::malloc_mipmapped_array(array, format, extent, levels, flags));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array,
                                       unsigned level) {
    if (!cudabook::emulation::is_mipmapped_array(array)) return result(cudaErrorInvalidResourceHandle);
    if (level_array == nullptr || level >= array->levels.size()) return result(cudaErrorInvalidValue);
    // CUDA takes a pointer to a const array, but returns a level that is not const.
    *level_array = const_cast<cudaArray_t>(&array->levels[level]);
    return result(cudaSuccess);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
    cudabook::emulation::finish_all();
    return result(cudabook::emulation::free_mipmapped_array(array));
}
