// The place of a picture's pixel in the texture.
#pragma once

#include <cmath>

#include "common/cuda/host_device.hpp"

namespace cudabook::texture_unit {

/// One coordinate of a texture: an affine function of a pixel's column and row.
struct Coordinate {
    float at;         ///< of pixel (0, 0)
    float along_row;  ///< from a pixel to the next one on its right
    float down;       ///< from a pixel to the next one below

    [[nodiscard]] CUDABOOK_HOST_DEVICE float of(int column, int row) const {
        return fmaf(along_row, static_cast<float>(column), fmaf(down, static_cast<float>(row), at));
    }
};

/// A turn, a scale and a shift.
struct View {
    Coordinate x, y, z;
};

/// A row of a floor that stretches to the horizon.
struct FloorRow {
    float scale;  ///< textures per column
    float at;     ///< the second coordinate
    float level;  ///< of the mipmap: log2 of the texels that a pixel spans
};

/// The first coordinate of a pixel of the floor; it is 0 in the middle.
CUDABOOK_HOST_DEVICE inline float across_floor(const FloorRow& floor, int column, int width) {
    return floor.scale * (static_cast<float>(2 * column + 1 - width) / 2);
}

}  // namespace cudabook::texture_unit
