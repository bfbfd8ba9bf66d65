// Texture objects for kernels: a table of the objects, which kernels read without a lock, inline functions
// for simple fetches, and other functions for all other fetches. cuda_runtime.h gives the functions CUDA's
// names.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

/// The kind of an array or texture, which a fetch must match.
enum class TextureKind { linear, line, plane, volume, line_layers, plane_layers, cube, cube_layers };

/// Texels in memory: consecutive in a row, with a pitch between rows and between slices (layers, faces).
struct Image {
    std::byte* texels = nullptr;
    int width = 0;
    int height = 1;
    int depth = 1;
    std::size_t row_bytes = 0;
    std::size_t slice_bytes = 0;
};

/// Converts a position in a two-dimensional CUDA array to an address by which sectors of 32 bytes can be
/// counted. On a GPU, a sector of an array holds 16 bytes of each of two rows. This function gives two texels
/// addresses in the same sector if a GPU has them in the same sector. `first` is the address of the array's
/// first texel, and `in_row` the byte's offset in its row.
inline std::uint64_t address_in_tiles(std::uint64_t first, std::size_t row_bytes, std::size_t row,
                                      std::size_t in_row) {
    const std::size_t across = (row_bytes + 15) / 16;
    return first / 32 * 32 + 32 * (row / 2 * across + in_row / 16) + row % 2 * 16 + in_row % 16;
}

struct Texture;

/// The data of a texture object that simple fetches need. An unused slot is all zero.
struct alignas(64) TextureSlot {
    const std::byte* texels = nullptr;
    std::uint32_t linear = 0;  ///< raw_texel<T> of the type T that tex1Dfetch<T> need not convert, or 0
    std::uint32_t plane = 0;   ///< raw_texel<T> of the type T that tex2D<T> need not convert, or 0; tex2D
                               ///< loads the nearest texel
    std::uint32_t size = 0;    ///< texels of linear memory
    bool nearest = false;      ///< tex2D reads the nearest texel, by clamped coordinates
    float last_x = 0;          ///< index of the last texel of a plane
    float last_y = 0;
    std::size_t row_bytes = 0;
    const Texture* texture = nullptr;
};

/// The most texture objects at a time (found on an H200).
inline constexpr std::size_t most_textures = std::size_t{1} << 20U;

/// The slots of all texture objects. A handle is the number of a slot. Slot 0 stays empty.
extern TextureSlot* texture_slots;
extern std::size_t texture_slots_there;  ///< 0 before the first object, then most_textures

inline const TextureSlot& texture_slot(cudaTextureObject_t texture) {
    return texture_slots[texture <= texture_slots_there ? texture : 0];
}

// ----- The types of texels

template <class T>
struct Vector {
    using Component = T;
};
template <class T>
requires requires(T vector) { vector.x; }
struct Vector<T> {
    using Component = decltype(T::x);
};
template <class T>
using Component = typename Vector<T>::Component;
template <class T>
inline constexpr std::size_t component_count = sizeof(T) / sizeof(Component<T>);

/// A type of texels: 1, 2 or 4 components, integers of up to 32 bits or floats.
template <class T>
concept IsTexel = (std::same_as<Component<T>, float> ||
                   (std::integral<Component<T>> && !std::same_as<Component<T>, bool> &&
                    sizeof(Component<T>) <= 4)) &&
                  (component_count<T> == 1 || component_count<T> == 2 || component_count<T> == 4);

constexpr std::uint32_t raw_texel_of(std::size_t component_bytes, std::size_t components) {
    return static_cast<std::uint32_t>(component_bytes << 8U | components);
}

/// Identifies the formats of texels that a fetch of T need not convert: the number, the size and the bits of
/// the components are T's.
template <IsTexel T>
inline constexpr std::uint32_t raw_texel = raw_texel_of(sizeof(Component<T>), component_count<T>);

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// The result of a fetch in registers: the components as 32-bit integers or as the bits of floats.
using Registers = std::array<std::uint32_t, 4>;

template <IsTexel T>
T from_registers(const Registers& registers) {
    std::array<Component<T>, component_count<T>> components;
    for (std::size_t c = 0; c < components.size(); ++c) {
        if constexpr (std::same_as<Component<T>, float>)
            std::memcpy(&components[c], &registers[c], sizeof(float));
        else
            components[c] = static_cast<Component<T>>(registers[c]);
    }
    T value;
    std::memcpy(&value, components.data(), sizeof value);
    return value;
}

/// For the checks: fails the kernel if a fetch expects floats and the texture gives integers, or the reverse.
void check_type(cudaTextureObject_t texture, bool expects_floats);

/// For the checks: fails the kernel if a fetch is behind the end of a texture over linear memory, but not
/// behind the end of the array in which the texture begins.
void check_end(cudaTextureObject_t texture, int index);

/// For the checks: fails the kernel if a fetch expects integers of fewer bytes than the texels' components
/// have.
void check_component(cudaTextureObject_t texture, std::size_t bytes);

/// Returns the result of a fetch, from registers, as a T. With AddressSanitizer, first checks that T suits
/// the texture.
template <IsTexel T>
T fetched(cudaTextureObject_t texture, const Registers& registers) {
    if constexpr (address_sanitizer) check_type(texture, std::same_as<Component<T>, float>);
#if CUDABOOK_MEMORY_MARKS
    check_component(texture, sizeof(Component<T>));
#endif
    return from_registers<T>(registers);
}

// ----- Fetches

/// The place at which a texture is read. In `at`, a missing dimension is 0; for a cube, `at` is a direction.
struct FetchPoint {
    TextureKind shape{};
    std::array<float, 3> at{};
    int layer = 0;
    std::optional<float> level = std::nullopt;  ///< of a mipmap; if not given, level 0 without bias
};

/// These functions make every kind of fetch. They fail the kernel if the texture object does not exist, or if
/// its shape is not the fetch's.
Registers fetch_linear(cudaTextureObject_t texture, int index);
Registers fetch_plane(cudaTextureObject_t texture, float x, float y);
Registers fetch(cudaTextureObject_t texture, const FetchPoint& point);
Registers gather(cudaTextureObject_t texture, float x, float y, int component);

/// Returns the mipmap level for a fetch with gradients: log2 of the longer gradient's length in texels of the
/// first level. `along_x` and `along_y` are the gradients in normalized coordinates.
float level_of_gradients(cudaTextureObject_t texture, TextureKind shape, const std::array<float, 3>& along_x,
                         const std::array<float, 3>& along_y);

/// Returns the index, from 0 to `last`, of the texel nearest to x in a line of texels. Returns 0 for NaN.
inline std::size_t nearest_texel(float x, float last) {
    const float from_first = x > 0 ? x : 0;
    return static_cast<std::size_t>(static_cast<std::int32_t>(from_first < last ? from_first : last));
}

/// True if the device code that includes this file is compiled for counting (cmake/emulation.cmake).
#ifdef CUDABOOK_COUNTED
inline constexpr bool is_counted = true;
#else
inline constexpr bool is_counted = false;
#endif

/// Fetches that are counted, for device code that is compiled for counting. They return the bits of a T for
/// which raw_texel<T> is `raw`.
template <std::size_t bytes>
std::array<std::byte, bytes> counted_fetch_linear(cudaTextureObject_t texture, int index, std::uint32_t raw);
template <std::size_t bytes>
std::array<std::byte, bytes> counted_fetch_plane(cudaTextureObject_t texture, float x, float y,
                                                 std::uint32_t raw);

/// The texel of a fetch. The fetch may load the texel without conversion only if `is_raw` is true.
struct RawTexel {
    bool is_raw;
    const std::byte* texel;  ///< null if beyond the end
};

CUDABOOK_UNSEEN inline RawTexel raw_texel_of_line(cudaTextureObject_t texture, int index, std::uint32_t raw,
                                                  std::size_t bytes) {
    const TextureSlot& slot = texture_slots[texture <= texture_slots_there ? texture : 0];
    const auto texel = static_cast<std::uint32_t>(index);
    return {slot.linear == raw, texel < slot.size ? slot.texels + texel * bytes : nullptr};
}

CUDABOOK_UNSEEN inline RawTexel raw_texel_of_plane(cudaTextureObject_t texture, float x, float y,
                                                   std::uint32_t raw, std::size_t bytes) {
    const TextureSlot& slot = texture_slots[texture <= texture_slots_there ? texture : 0];
    if (slot.plane != raw) return {false, nullptr};
    return {true, slot.texels + nearest_texel(y, slot.last_y) * slot.row_bytes +
                      nearest_texel(x, slot.last_x) * bytes};
}

template <IsTexel T>
T fetch_linear_as(cudaTextureObject_t texture, int index) {
    if constexpr (is_counted)
        return std::bit_cast<T>(counted_fetch_linear<sizeof(T)>(texture, index, raw_texel<T>));
    const RawTexel found = raw_texel_of_line(texture, index, raw_texel<T>, sizeof(T));
#if CUDABOOK_MEMORY_MARKS  // not in the project's own tests, which fetch behind the end
    check_end(texture, index);
#endif
    if (!found.is_raw) return fetched<T>(texture, fetch_linear(texture, index));
    return found.texel != nullptr ? load<T>(found.texel) : T{};
}

template <IsTexel T>
T fetch_plane_as(cudaTextureObject_t texture, float x, float y) {
    if constexpr (is_counted)
        return std::bit_cast<T>(counted_fetch_plane<sizeof(T)>(texture, x, y, raw_texel<T>));
    const RawTexel found = raw_texel_of_plane(texture, x, y, raw_texel<T>, sizeof(T));
    return found.is_raw ? load<T>(found.texel) : fetched<T>(texture, fetch_plane(texture, x, y));
}

}  // namespace cudabook::emulation
