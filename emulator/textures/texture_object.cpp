// cudaCreateTextureObject() and the other functions for texture objects.
#include "emulator/textures/texture_object.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include "common/texture_model/border.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/textures/array.hpp"
#include "emulator/textures/slot_numbers.hpp"

namespace cudabook::emulation {

namespace {

constinit TextureSlot no_texture{};

/// Reserves address space for all slots. Only slots that are used take memory. Returns false if the address
/// space cannot be reserved.
bool make_slots() {
    if (texture_slots_there > 0) return true;
    void* memory = mmap(nullptr, (most_textures + 1) * sizeof(TextureSlot), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    texture_slots = static_cast<TextureSlot*>(memory);
    texture_slots_there = most_textures;
    return true;
}

}  // namespace

constinit TextureSlot* texture_slots = &no_texture;
constinit std::size_t texture_slots_there = 0;

namespace {

struct Textures {
    std::mutex mutex;
    SlotNumbers numbers{most_textures};
};
Textures& all_textures() {
    static Textures textures;
    return textures;
}

/// Destroys a texture object. The caller holds the mutex.
void free_slot(std::size_t number) {
    const std::unique_ptr<const Texture> owned(texture_slots[number].texture);
    texture_slots[number] = {};
    all_textures().numbers.give_back(number);
}

bool is_valid(const cudaTextureDesc& sampler) {
    for (const cudaTextureAddressMode mode : sampler.addressMode)
        if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder) return false;
    const auto is_filter = [](cudaTextureFilterMode mode) {
        return mode == cudaFilterModePoint || mode == cudaFilterModeLinear;
    };
    return is_filter(sampler.filterMode) && is_filter(sampler.mipmapFilterMode) &&
           (sampler.readMode == cudaReadModeElementType || sampler.readMode == cudaReadModeNormalizedFloat);
}

Decoding decoding_of(const cudaChannelFormatDesc& format, const cudaTextureDesc& sampler) {
    const bool is_signed = format.f == cudaChannelFormatKindSigned;
    if (format.x == 32) return Decoding::bits32;
    if (format.f == cudaChannelFormatKindFloat) return Decoding::half;
    if (sampler.readMode == cudaReadModeElementType) {
        if (format.x == 8) return is_signed ? Decoding::signed8 : Decoding::unsigned8;
        return is_signed ? Decoding::signed16 : Decoding::unsigned16;
    }
    if (format.x == 16) return is_signed ? Decoding::signed16_as_fraction : Decoding::unsigned16_as_fraction;
    if (is_signed) return Decoding::signed8_as_fraction;
    return sampler.sRGB != 0 ? Decoding::srgb : Decoding::unsigned8_as_fraction;
}

/// Returns the border colour as a texel in memory.
std::array<std::byte, 16> border_of(const Texture& texture) {
    std::array<std::byte, 16> texel{};
    for (std::size_t c = 0; c < texture.components; ++c) {
        const float colour = texture.sampler.borderColor[c];
        const auto store = [&](auto code) { std::memcpy(&texel[c * sizeof code], &code, sizeof code); };
        switch (texture.decoding) {
            case Decoding::unsigned8_as_fraction:
                store(texture_unit::border_code<std::uint8_t>(colour));
                break;
            case Decoding::signed8_as_fraction:
                store(texture_unit::border_code<std::int8_t>(colour));
                break;
            case Decoding::unsigned16_as_fraction:
                store(texture_unit::border_code<std::uint16_t>(colour));
                break;
            case Decoding::signed16_as_fraction:
                store(texture_unit::border_code<std::int16_t>(colour));
                break;
            case Decoding::srgb:
                store(c == 3 ? texture_unit::border_code<std::uint8_t>(colour)
                             : texture_unit::border_srgb(colour));
                break;
            case Decoding::half:
                store(texture_unit::border_half(colour));
                break;
            default:  // the lowest bits of the colour
                std::memcpy(&texel[c * component_bytes(texture.decoding)], &colour,
                            component_bytes(texture.decoding));
        }
    }
    return texel;
}

bool is_aligned(const void* memory, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
}

/// Returns the most texels of `bytes` bytes that a texture over linear memory can have, as
/// cudaDeviceGetTexture1DLinearMaxWidth says on an H200. There, the attribute `width` is 2^28, and the
/// result is 2^30 texels, but at most 4 GiB.
std::size_t most_linear_texels(std::size_t width, std::size_t bytes) {
    return width * 4 / std::max<std::size_t>(1, bytes / 4);
}

/// Describes linear or pitched memory as an image. Checks the memory as cudaCreateTextureObject's reference
/// says.
cudaError_t describe_memory(Texture& texture) {
    const TextureLimits& most = current_gpu().textures;
    const bool linear = texture.resource.resType == cudaResourceTypeLinear;
    const auto& row = texture.resource.res.linear;
    const auto& plane = texture.resource.res.pitch2D;
    void* const memory = linear ? row.devPtr : plane.devPtr;
    const cudaChannelFormatDesc& format = linear ? row.desc : plane.desc;
    if (!is_format(format)) return cudaErrorInvalidChannelDescriptor;
    if (memory == nullptr || !is_aligned(memory, most.alignment_bytes)) return cudaErrorInvalidValue;
    const std::size_t bytes = texel_bytes(format);
    const std::size_t width = linear ? row.sizeInBytes / bytes : plane.width;
    const std::size_t height = linear ? 1 : plane.height;
    if (width == 0 || height == 0) return cudaErrorInvalidValue;
    if (linear) {
        if (width > most_linear_texels(static_cast<std::size_t>(most.linear_1d), bytes))
            return cudaErrorInvalidValue;
    } else if (width > static_cast<std::size_t>(most.linear_2d[0]) ||
               height > static_cast<std::size_t>(most.linear_2d[1]) ||
               plane.pitchInBytes > static_cast<std::size_t>(most.linear_2d_pitch_bytes) ||
               plane.pitchInBytes % most.pitch_alignment_bytes != 0) {
        return cudaErrorInvalidValue;
    }
    texture.shape = linear ? TextureKind::linear : TextureKind::plane;
    texture.image = {.texels = static_cast<std::byte*>(memory),
                     .width = static_cast<int>(width),
                     .height = static_cast<int>(height),
                     .row_bytes = linear ? width * bytes : plane.pitchInBytes};
    return cudaSuccess;
}

/// Describes an array, the levels of a mipmapped array, or the part of either that a view shows.
cudaError_t describe_array(Texture& texture, const cudaResourceViewDesc* view) {
    const bool mipmapped = texture.resource.resType == cudaResourceTypeMipmappedArray;
    const cudaMipmappedArray_t mipmap = texture.resource.res.mipmap.mipmap;
    if (mipmapped ? !is_mipmapped_array(mipmap) : !is_array(texture.resource.res.array.array))
        return cudaErrorInvalidResourceHandle;
    const cudaArray* array = mipmapped ? mipmap->levels.data() : texture.resource.res.array.array;
    if (mipmapped && texture.sampler.normalizedCoords == 0) return cudaErrorInvalidValue;
    const bool layered = array->shape == TextureKind::line_layers ||
                         array->shape == TextureKind::plane_layers ||
                         array->shape == TextureKind::cube_layers;
    const unsigned faces = is_cube(array->shape) ? 6 : 1;
    texture.shape = array->shape;
    texture.levels = mipmapped ? static_cast<int>(mipmap->levels.size()) : 1;
    texture.layers = layered ? static_cast<unsigned>(array->image.depth) / faces : 1;
    if (view != nullptr) {
        const auto& [width, height, depth] = array->extent;
        if (view->format != cudaResViewFormatNone || view->width != width || view->height != height ||
            view->depth != depth || view->firstMipmapLevel > view->lastMipmapLevel ||
            view->lastMipmapLevel >= static_cast<unsigned>(texture.levels) ||
            view->firstLayer > view->lastLayer ||
            view->lastLayer >= (layered ? static_cast<unsigned>(array->image.depth) : 1U) ||
            view->firstLayer % faces != 0 || (layered && (view->lastLayer + 1) % faces != 0))
            return cudaErrorInvalidValue;
        texture.first_level = static_cast<int>(view->firstMipmapLevel);
        texture.levels = static_cast<int>(view->lastMipmapLevel - view->firstMipmapLevel) + 1;
        if (layered) {
            texture.first_layer = view->firstLayer / faces;
            texture.layers = (view->lastLayer - view->firstLayer + 1) / faces;
        }
    }
    if (texture.sampler.seamlessCubemap != 0 && faces == 1) return cudaErrorInvalidValue;
    texture.image = array[texture.first_level].image;
    return cudaSuccess;
}

/// Returns the slot for a texture.
TextureSlot slot_of(const Texture& texture) {
    TextureSlot slot;
    slot.texels = texture.image.texels;
    slot.row_bytes = texture.image.row_bytes;
    slot.texture = &texture;
    const bool as_in_memory = texture.decoding <= Decoding::bits32;
    const std::uint32_t raw =
        as_in_memory ? raw_texel_of(component_bytes(texture.decoding), texture.components) : 0;
    const auto clamped = [&](std::size_t d) {
        const texture_unit::Axis along = texture.axis(texture.image, d);
        return along.clamped() && !along.normalized;
    };
    if (texture.shape == TextureKind::linear) {
        slot.linear = raw;
        slot.size = static_cast<std::uint32_t>(texture.image.width);
    } else if (texture.shape == TextureKind::plane && texture.sampler.filterMode == cudaFilterModePoint &&
               clamped(0) && clamped(1)) {
        slot.plane = raw;
        slot.nearest = true;
        slot.last_x = static_cast<float>(texture.image.width - 1);
        slot.last_y = static_cast<float>(texture.image.height - 1);
    }
    return slot;
}

cudaError_t create_texture(cudaTextureObject_t* to, const cudaResourceDesc* resource,
                           const cudaTextureDesc* sampler, const cudaResourceViewDesc* view) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (to == nullptr || resource == nullptr || sampler == nullptr || !is_valid(*sampler))
        return cudaErrorInvalidValue;
    auto texture = std::make_unique<Texture>();
    texture->gpu = &current_state();
    texture->resource = *resource;
    texture->sampler = *sampler;
    cudaChannelFormatDesc format{};
    cudaError_t error = cudaErrorInvalidValue;
    switch (resource->resType) {
        case cudaResourceTypeLinear:
        case cudaResourceTypePitch2D:
            format = resource->resType == cudaResourceTypeLinear ? resource->res.linear.desc
                                                                 : resource->res.pitch2D.desc;
            if (view == nullptr && sampler->seamlessCubemap == 0) error = describe_memory(*texture);
            break;
        case cudaResourceTypeArray:
        case cudaResourceTypeMipmappedArray:
            error = describe_array(*texture, view);
            if (error == cudaSuccess)
                format = resource->resType == cudaResourceTypeArray
                             ? resource->res.array.array->format
                             : resource->res.mipmap.mipmap->levels.front().format;
            break;
    }
    if (error != cudaSuccess) return error;
    texture->decoding = decoding_of(format, *sampler);
    texture->components = static_cast<std::uint8_t>(components(format));
    texture->border = border_of(*texture);
    const bool floats = format.f == cudaChannelFormatKindFloat || texture->decoding > Decoding::bits32;
    const bool blended = sampler->filterMode == cudaFilterModeLinear ||
                         (texture->levels > 1 && sampler->mipmapFilterMode == cudaFilterModeLinear);
    texture->gives_floats = floats;
    if (blended && !floats) return cudaErrorInvalidFilterSetting;
    if (format.x == 32 && sampler->readMode == cudaReadModeNormalizedFloat)
        return cudaErrorInvalidNormSetting;

    const std::lock_guard lock(all_textures().mutex);
    if (!make_slots()) return cudaErrorMemoryAllocation;
    const std::size_t number = all_textures().numbers.take();
    if (number == 0) return cudaErrorMemoryAllocation;
    texture_slots[number] = slot_of(*texture);
    static_cast<void>(texture.release());
    *to = number;
    return cudaSuccess;
}

cudaError_t destroy_texture(cudaTextureObject_t handle) {
    const std::lock_guard lock(all_textures().mutex);
    if (texture_slot(handle).texture == nullptr) return cudaErrorInvalidValue;
    free_slot(handle);
    return cudaSuccess;
}

}  // namespace

std::vector<PlaneInMemory> planes_of_textures() {
    const std::lock_guard lock(all_textures().mutex);
    std::vector<PlaneInMemory> planes;
    for (std::size_t number = 1; number < all_textures().numbers.next(); ++number) {
        const Texture* texture = texture_slots[number].texture;
        if (texture == nullptr || texture->resource.resType != cudaResourceTypePitch2D) continue;
        const Image& image = texture->image;
        planes.push_back({reinterpret_cast<std::uint64_t>(image.texels),
                          image.row_bytes * static_cast<std::size_t>(image.height), image.row_bytes,
                          texel_bytes(texture->resource.res.pitch2D.desc), false});
    }
    return planes;
}

void destroy_textures_of(const GpuState& gpu) {
    const std::lock_guard lock(all_textures().mutex);
    for (std::size_t number = 1; number < all_textures().numbers.next(); ++number) {
        const Texture* texture = texture_slots[number].texture;
        if (texture != nullptr && texture->gpu == &gpu) free_slot(number);
    }
}

}  // namespace cudabook::emulation

using cudabook::emulation::result;
using cudabook::emulation::texture_slot;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    const cudaError_t error = cudabook::emulation::create_texture(texture, resource, description, view);
    if (error == cudaErrorInvalidFilterSetting)
        return cudabook::emulation::refuse_work(
            error, "cudaCreateTextureObject() with a linear filter for texels that are read as integers");
    if (error == cudaErrorInvalidNormSetting)
        return cudabook::emulation::refuse_work(
            error, "cudaCreateTextureObject() with cudaReadModeNormalizedFloat for texels of another type");
    return result(error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    cudabook::emulation::finish_all();
    return result(cudabook::emulation::destroy_texture(texture));
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
    const cudabook::emulation::Texture* found = texture_slot(texture).texture;
    if (resource == nullptr || found == nullptr) return result(cudaErrorInvalidValue);
    *resource = found->resource;
    return result(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
    const cudabook::emulation::Texture* found = texture_slot(texture).texture;
    if (description == nullptr || found == nullptr) return result(cudaErrorInvalidValue);
    *description = found->sampler;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* texels, const cudaChannelFormatDesc* format,
                                                 int device) {
    int devices = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess) return error;
    if (device < 0 || device >= devices) return result(cudaErrorInvalidDevice);
    if (texels == nullptr || format == nullptr) return result(cudaErrorInvalidValue);
    if (!cudabook::emulation::is_format(*format)) return result(cudaErrorInvalidChannelDescriptor);
    int most = 0;
    if (const cudaError_t error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture1DLinearWidth, device);
        error != cudaSuccess)
        return error;
    *texels = cudabook::emulation::most_linear_texels(static_cast<std::size_t>(most),
                                                      cudabook::emulation::texel_bytes(*format));
    return result(cudaSuccess);
}
