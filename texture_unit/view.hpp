// The place of a picture's pixel in the texture.
#pragma once

#include <cmath>

#include "common/cuda/host_device.hpp"

namespace cudabook::texture_unit {

/// One coordinate of a place in a texture, as an affine function of a pixel's column and row.
struct Coordinate {
    float at;         ///< the coordinate at pixel (0, 0)
    float along_row;  ///< the change from a pixel to the next pixel on its right
    float down;       ///< the change from a pixel to the next pixel below

    [[nodiscard]] CUDABOOK_HOST_DEVICE float of(int column, int row) const {
        return fmaf(along_row, static_cast<float>(column), fmaf(down, static_cast<float>(row), at));
    }
};

/// Maps each pixel of a picture to its place in a texture, by a turn, a scale and a shift.
struct View {
    Coordinate x, y, z;
};

/// A row of a floor that stretches to the horizon.
struct FloorRow {
    float scale;  ///< the change of the first coordinate per column, in texture widths
    float at;     ///< the second coordinate of all pixels of the row
    float level;  ///< the level of the mipmap: log2 of the texels that a pixel spans
};

/// Returns the first coordinate of a pixel of the floor. It is 0 in the middle of the row.
CUDABOOK_HOST_DEVICE inline float across_floor(const FloorRow& floor, int column, int width) {
    return floor.scale * (static_cast<float>(2 * column + 1 - width) / 2);
}

}  // namespace cudabook::texture_unit
