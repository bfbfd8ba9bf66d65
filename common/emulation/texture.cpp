#include "common/emulation/texture.hpp"

#include <sys/mman.h>

#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/emulation/array.hpp"
#include "common/emulation/block.hpp"
#include "common/emulation/device.hpp"
#include "common/emulation/slot_numbers.hpp"
#include "common/texture_unit/addressing.hpp"
#include "common/texture_unit/blending.hpp"
#include "common/texture_unit/cube.hpp"
#include "common/texture_unit/levels.hpp"
#include "common/texture_unit/texels.hpp"

namespace cudabook::emulation {

using texture_unit::Axis;
using texture_unit::Blend;
using texture_unit::Filter;
using texture_unit::Neighbours;
using texture_unit::Texel;

namespace {

/// What a component in memory becomes in a register.
enum class Decoding : std::uint8_t {
    unsigned8,
    signed8,
    unsigned16,
    signed16,
    bits32,
    half,
    unsigned8_as_fraction,
    signed8_as_fraction,
    unsigned16_as_fraction,
    signed16_as_fraction,
    srgb,  ///< the fourth component: a fraction
};

}  // namespace

/// All of a texture object.
struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc sampler;
    Shape shape;
    Decoding decoding;
    std::uint8_t components;
    unsigned first_layer = 0;  ///< of layers or of layered cubes
    unsigned layers = 1;
    int first_level = 0;
    int levels = 1;
    Image image{};  ///< of the first level
};

namespace {

constinit TextureSlot no_texture{};

/// Takes address space for all slots; memory only those get that are used. Returns whether there is any.
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

// ----- Texels

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint32_t decoded(Decoding decoding, const std::byte* texel, std::size_t c) {
    using texture_unit::as_fraction;
    static const std::array<float, 256> srgb = [] {
        std::array<float, 256> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = texture_unit::from_srgb(static_cast<std::uint8_t>(i));
        return table;
    }();
    const auto component = [=]<class T>(T /*type*/) { return load<T>(texel + c * sizeof(T)); };
    switch (decoding) {
        case Decoding::unsigned8:
            return component(std::uint8_t{});
        case Decoding::signed8:
            return static_cast<std::uint32_t>(component(std::int8_t{}));
        case Decoding::unsigned16:
            return component(std::uint16_t{});
        case Decoding::signed16:
            return static_cast<std::uint32_t>(component(std::int16_t{}));
        case Decoding::bits32:
            return component(std::uint32_t{});
        case Decoding::half:
            return bits(texture_unit::from_half(component(std::uint16_t{})));
        case Decoding::unsigned8_as_fraction:
            return bits(as_fraction(component(std::uint8_t{})));
        case Decoding::signed8_as_fraction:
            return bits(as_fraction(component(std::int8_t{})));
        case Decoding::unsigned16_as_fraction:
            return bits(as_fraction(component(std::uint16_t{})));
        case Decoding::signed16_as_fraction:
            return bits(as_fraction(component(std::int16_t{})));
        case Decoding::srgb:
            return bits(c == 3 ? as_fraction(component(std::uint8_t{})) : srgb[component(std::uint8_t{})]);
    }
    return 0;
}

std::size_t component_bytes(Decoding decoding) {
    switch (decoding) {
        case Decoding::bits32:
            return 4;
        case Decoding::unsigned16:
        case Decoding::signed16:
        case Decoding::half:
        case Decoding::unsigned16_as_fraction:
        case Decoding::signed16_as_fraction:
            return 2;
        default:
            return 1;
    }
}

/// The texel's components; those that it does not have are 0. -1: the border.
Registers texel(const Texture& texture, const Image& image, int x, int y, int z) {
    Registers registers{};
    if (x < 0 || y < 0 || z < 0) {
        for (std::size_t c = 0; c < texture.components; ++c)
            registers[c] = bits(texture.sampler.borderColor[c]);
        return registers;
    }
    const std::byte* memory =
        image.texels + static_cast<std::size_t>(z) * image.slice_bytes +
        static_cast<std::size_t>(y) * image.row_bytes +
        static_cast<std::size_t>(x) * texture.components * component_bytes(texture.decoding);
    for (std::size_t c = 0; c < texture.components; ++c) registers[c] = decoded(texture.decoding, memory, c);
    return registers;
}

Texel as_floats(const Registers& registers) { return std::bit_cast<Texel>(registers); }

/// As Blend takes it.
int steps(Decoding decoding) {
    switch (decoding) {
        case Decoding::unsigned8_as_fraction:
        case Decoding::unsigned16_as_fraction:
            return 65535;
        case Decoding::signed8_as_fraction:
        case Decoding::signed16_as_fraction:
            return 32767;
        default:
            return 0;
    }
}

// ----- Fetches

bool is_cube(Shape shape) { return shape == Shape::cube || shape == Shape::cube_layers; }

std::string_view name(Shape shape) {
    switch (shape) {
        case Shape::linear:
            return "linear memory";
        case Shape::line:
            return "one dimension";
        case Shape::plane:
            return "two dimensions";
        case Shape::volume:
            return "three dimensions";
        case Shape::line_layers:
            return "layers of one dimension";
        case Shape::plane_layers:
            return "layers of two dimensions";
        case Shape::cube:
            return "a cube map";
        case Shape::cube_layers:
            return "layers of cube maps";
    }
    return "";
}

/// The texture object; fails the kernel if there is none, or not of that shape.
const Texture& existing(cudaTextureObject_t handle, Shape shape) {
    const Texture* texture = texture_slot(handle).texture;
    if (texture == nullptr)
        fail_kernel(fmt::format("a fetch from texture object {}, which does not exist", handle));
    if (texture->shape != shape)
        fail_kernel(fmt::format("a fetch for a texture of {} from texture object {}, which has {}",
                                name(shape), handle, name(texture->shape)));
    return *texture;
}

/// A dimension of an image; one that the texture does not have has one texel.
Axis axis(const Texture& texture, const Image& image, std::size_t d) {
    const bool one = texture.shape == Shape::line || texture.shape == Shape::line_layers;
    if ((d == 1 && one) || (d == 2 && texture.shape != Shape::volume)) return {};
    const std::array<int, 3> size{image.width, image.height, image.depth};
    return {size[d],
            texture.sampler.seamlessCubemap != 0
                ? texture_unit::Address::clamp
                : static_cast<texture_unit::Address>(texture.sampler.addressMode[d]),
            texture.sampler.normalizedCoords != 0 || is_cube(texture.shape)};
}

Filter filter(cudaTextureFilterMode mode) {
    return mode == cudaFilterModeLinear ? Filter::linear : Filter::point;
}

/// Where one level is read; `slice`: the layer or face.
std::array<Neighbours, 3> neighbours(const Texture& texture, const Image& image,
                                     const std::array<float, 3>& at, int slice) {
    const Filter mode = filter(texture.sampler.filterMode);
    std::array<Neighbours, 3> near{};
    for (std::size_t d = 0; d < 3; ++d) near[d] = axis(texture, image, d).neighbours(at[d], mode);
    if (texture.shape != Shape::volume) near[2] = {{slice, slice}};
    return near;
}

/// Adds what a fetch reads from one level, with weights whose sum is `whole`.
void add(Blend& blend, double whole, const Texture& texture, const Image& image,
         const std::array<float, 3>& at, int slice) {
    if (texture.sampler.seamlessCubemap != 0 && texture.sampler.filterMode == cudaFilterModeLinear) {
        const int face = slice % 6;
        texture_unit::add_across_faces(
            blend, {face, at[0], at[1]}, image.width, whole, [&](int on_face, int x, int y) {
                return as_floats(texel(texture, image, x, y, slice - face + on_face));
            });
        return;
    }
    blend.add(neighbours(texture, image, at, slice), whole,
              [&](int x, int y, int z) { return as_floats(texel(texture, image, x, y, z)); });
}

/// A fetch from one level.
Registers fetch_from(const Texture& texture, const Image& image, const std::array<float, 3>& at, int slice) {
    if (texture.sampler.filterMode == cudaFilterModePoint) {
        const std::array<Neighbours, 3> near = neighbours(texture, image, at, slice);
        return texel(texture, image, near[0].index[0], near[1].index[0], near[2].index[0]);
    }
    Blend blend(steps(texture.decoding));
    add(blend, 1, texture, image, at, slice);
    return std::bit_cast<Registers>(blend.result());
}

const Image& image_of_level(const Texture& texture, int level) {
    if (level == 0) return texture.image;
    const int number = texture.first_level + level;
    return texture.resource.res.mipmap.mipmap->levels[static_cast<std::size_t>(number)].image;
}

}  // namespace

Registers fetch_linear(cudaTextureObject_t handle, int index) {
    const Texture& texture = existing(handle, Shape::linear);
    if (index < 0 || index >= texture.image.width) return {};
    return texel(texture, texture.image, index, 0, 0);
}

Registers fetch(cudaTextureObject_t handle, const FetchPoint& point) {
    const Texture& texture = existing(handle, point.shape);
    std::array<float, 3> at = point.at;
    auto slice =
        static_cast<int>(texture.first_layer + texture_unit::layer_read(point.layer, texture.layers));
    if (is_cube(point.shape)) {
        const texture_unit::CubePoint on_cube = texture_unit::cube_point(at[0], at[1], at[2]);
        at = {on_cube.s, on_cube.t, 0};
        slice = 6 * slice + on_cube.face;
    }
    const auto of_level = [&](int level) {
        return fetch_from(texture, image_of_level(texture, level), at, slice);
    };
    if (texture.levels == 1) return of_level(0);
    const texture_unit::LevelFilter levels{
        filter(texture.sampler.mipmapFilterMode), point.level ? texture.sampler.mipmapLevelBias : 0,
        texture.sampler.minMipmapLevelClamp, texture.sampler.maxMipmapLevelClamp};
    const Neighbours near = levels.chosen(point.level.value_or(0), texture.levels);
    if (near.second == 0) return of_level(near.index[0]);
    return std::bit_cast<Registers>(texture_unit::blend_levels(
        near, steps(texture.decoding), [&](Blend& blend, int level, double weight) {
            add(blend, weight, texture, image_of_level(texture, level), at, slice);
        }));
}

Registers gather(cudaTextureObject_t handle, float x, float y, int component) {
    const Texture& texture = existing(handle, Shape::plane);
    const auto [left, right] = axis(texture, texture.image, 0).between(x).index;
    const auto [top, bottom] = axis(texture, texture.image, 1).between(y).index;
    const auto c = static_cast<std::size_t>(component) & 3U;
    return {texel(texture, texture.image, left, bottom, 0)[c],
            texel(texture, texture.image, right, bottom, 0)[c],
            texel(texture, texture.image, right, top, 0)[c], texel(texture, texture.image, left, top, 0)[c]};
}

float level_of_gradients(cudaTextureObject_t handle, Shape shape, const std::array<float, 3>& along_x,
                         const std::array<float, 3>& along_y) {
    const Texture& texture = existing(handle, shape);
    const std::array<int, 3> size{texture.image.width, texture.image.height, texture.image.depth};
    const auto texels = [&size](const std::array<float, 3>& gradient) {
        double sum = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            const double along = static_cast<double>(gradient[d]) * size[d];
            sum += along * along;
        }
        return std::sqrt(sum);
    };
    const double longest = std::max(texels(along_x), texels(along_y));
    return static_cast<float>(std::log2(std::isnan(longest) ? 0 : longest));  // NaN: measured on an H200
}

// ----- Texture objects

namespace {

struct Textures {
    std::mutex mutex;
    SlotNumbers numbers{most_textures};
};
Textures& all() {
    static Textures textures;
    return textures;
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

bool is_aligned(const void* memory, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
}

/// The most texels of that size that a texture over linear memory can have. As
/// cudaDeviceGetTexture1DLinearMaxWidth says on an H200: 2^30, but at most 4 GiB, where the attribute
/// (`width`) is 2^28.
std::size_t most_linear_texels(std::size_t width, std::size_t bytes) {
    return width * 4 / std::max<std::size_t>(1, bytes / 4);
}

/// Linear or pitched memory as an image, checked as cudaCreateTextureObject's reference says.
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
    texture.shape = linear ? Shape::linear : Shape::plane;
    texture.image = {.texels = static_cast<std::byte*>(memory),
                     .width = static_cast<int>(width),
                     .height = static_cast<int>(height),
                     .row_bytes = linear ? width * bytes : plane.pitchInBytes};
    return cudaSuccess;
}

/// An array or the levels of one, or what a view shows of it.
cudaError_t describe_array(Texture& texture, const cudaResourceViewDesc* view) {
    const bool mipmapped = texture.resource.resType == cudaResourceTypeMipmappedArray;
    const cudaMipmappedArray_t mipmap = texture.resource.res.mipmap.mipmap;
    if (mipmapped ? !is_mipmapped_array(mipmap) : !is_array(texture.resource.res.array.array))
        return cudaErrorInvalidResourceHandle;
    const cudaArray* array = mipmapped ? mipmap->levels.data() : texture.resource.res.array.array;
    if (mipmapped && texture.sampler.normalizedCoords == 0) return cudaErrorInvalidValue;
    const bool layered = array->shape == Shape::line_layers || array->shape == Shape::plane_layers ||
                         array->shape == Shape::cube_layers;
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

/// What the slot has of the texture.
TextureSlot slot_of(const Texture& texture) {
    TextureSlot slot;
    slot.texels = texture.image.texels;
    slot.row_bytes = texture.image.row_bytes;
    slot.texture = &texture;
    const bool as_in_memory = texture.decoding <= Decoding::bits32;
    const std::uint32_t raw =
        as_in_memory ? raw_texel_of(component_bytes(texture.decoding), texture.components) : 0;
    const auto clamped = [&](std::size_t d) {
        const Axis along = axis(texture, texture.image, d);
        return along.clamped() && !along.normalized;
    };
    if (texture.shape == Shape::linear) {
        slot.linear = raw;
        slot.size = static_cast<std::uint32_t>(texture.image.width);
    } else if (texture.shape == Shape::plane && texture.sampler.filterMode == cudaFilterModePoint &&
               clamped(0) && clamped(1)) {
        slot.plane = raw;
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
    const bool floats = format.f == cudaChannelFormatKindFloat || texture->decoding > Decoding::bits32;
    const bool blended = sampler->filterMode == cudaFilterModeLinear ||
                         (texture->levels > 1 && sampler->mipmapFilterMode == cudaFilterModeLinear);
    if (blended && !floats) return cudaErrorInvalidFilterSetting;
    if (format.x == 32 && sampler->readMode == cudaReadModeNormalizedFloat)
        return cudaErrorInvalidNormSetting;

    const std::lock_guard lock(all().mutex);
    const std::size_t number = all().numbers.take();
    if (number == 0) return cudaErrorMemoryAllocation;
    if (!make_slots()) return cudaErrorMemoryAllocation;
    texture_slots[number] = slot_of(*texture);
    static_cast<void>(texture.release());
    *to = number;
    return cudaSuccess;
}

cudaError_t destroy_texture(cudaTextureObject_t handle) {
    const std::lock_guard lock(all().mutex);
    if (texture_slot(handle).texture == nullptr) return cudaErrorInvalidValue;
    const std::unique_ptr<const Texture> owned(texture_slots[handle].texture);
    texture_slots[handle] = {};
    all().numbers.give_back(handle);
    return cudaSuccess;
}

}  // namespace
}  // namespace cudabook::emulation

using cudabook::emulation::result;
using cudabook::emulation::texture_slot;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    return result(cudabook::emulation::create_texture(texture, resource, description, view));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
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
