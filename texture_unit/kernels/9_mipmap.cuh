// Mipmaps: the texture and ever smaller copies of it. A fetch names a level, such as 1.25, and the unit
// blends the two nearest levels, eight texels in all. The picture is a floor that stretches to the horizon.
#pragma once

#include "texture_unit/kernels/by_hand.cuh"
#include "texture_unit/kernels/exactly.cuh"
#include "texture_unit/view.hpp"

namespace cudabook::texture_unit {

template <class Pixel>
__global__ void mipmap_kernel(Pixel* out, int width, int height, cudaTextureObject_t texture,
                              const FloorRow* rows) {
    make_pixels(out, width, height, [&](int column, int row) {
        const FloorRow floor = rows[row];
        return tex2DLod<Pixel>(texture, across_floor(floor, column, width), floor.at, floor.level);
    });
}

/// The levels of a square texture, one after the other in memory. `size` is the number of texels along each
/// side of the first level, a power of two.
template <class Pixel>
struct Levels {
    const Pixel* texels;
    int size, count;

    __device__ Plane<Pixel> level(int i) const {
        const auto side = static_cast<unsigned>(size >> i);
        const unsigned before = (static_cast<unsigned>(size) * size - side * side) / 3 * 4;
        return {texels + before, size >> i, size >> i};
    }
};

/// mipmap_kernel by hand, with wrapping coordinates. The unit truncates levels to multiples of 1/256.
template <class Pixel>
__global__ void mipmap_global_kernel(Pixel* out, int width, int height, Levels<Pixel> levels,
                                     const FloorRow* rows, float bias) {
    make_pixels(out, width, height, [&](int column, int row) {
        const FloorRow floor = rows[row];
        const float x = across_floor(floor, column, width);
        const auto in_256ths = [](float value) { return truncf(value * 256) / 256; };
        const float level =
            fminf(fmaxf(in_256ths(floor.level) + in_256ths(bias), 0), static_cast<float>(levels.count - 1));
        const int first = static_cast<int>(level);
        const float weight = level - static_cast<float>(first);
        const auto blend_of = [&](int i, float whole) {
            const Plane<Pixel> plane = levels.level(min(i, levels.count - 1));
            return blend(plane, beside<Edge::wrap>(in_texels(x, plane.width), plane.width),
                         beside<Edge::wrap>(in_texels(floor.at, plane.width), plane.width), whole);
        };
        return times_plus(1, blend_of(first, 1 - weight), blend_of(first + 1, weight));
    });
}

/// mipmap_global_kernel with levels and weights that are not rounded.
template <class Pixel>
__global__ void mipmap_exact_kernel(Pixel* out, int width, int height, Levels<Pixel> levels,
                                    const FloorRow* rows, float bias) {
    make_pixels(out, width, height, [&](int column, int row) {
        const FloorRow floor = rows[row];
        const float x = across_floor(floor, column, width);
        const float level = fminf(fmaxf(floor.level + bias, 0), static_cast<float>(levels.count - 1));
        const int first = static_cast<int>(level);
        const auto in_level = [&](int i) {
            const Plane<Pixel> plane = levels.level(i);
            const auto size = static_cast<float>(plane.width);
            return blend_exactly<Edge::wrap>(plane, x * size, floor.at * size);
        };
        return between(level - static_cast<float>(first), in_level(first),
                       in_level(min(first + 1, levels.count - 1)));
    });
}

/// mipmap_exact_kernel that reads only the nearest level.
template <class Pixel>
__global__ void mipmap_level_exact_kernel(Pixel* out, int width, int height, Levels<Pixel> levels,
                                          const FloorRow* rows, float bias) {
    make_pixels(out, width, height, [&](int column, int row) {
        const FloorRow floor = rows[row];
        const float level = fminf(fmaxf(floor.level + bias, 0), static_cast<float>(levels.count - 1));
        const Plane<Pixel> plane = levels.level(static_cast<int>(floorf(level + 0.5F)));
        const auto size = static_cast<float>(plane.width);
        return blend_exactly<Edge::wrap>(plane, across_floor(floor, column, width) * size, floor.at * size);
    });
}

}  // namespace cudabook::texture_unit
