// Pictures on the host.
#pragma once

#include <cstddef>
#include <vector>

#include "common/texture_model/texels.hpp"

namespace cudabook::texture_unit {

/// A picture of width x height texels, row-major, with row 0 at the top. Components are whole or fractional
/// numbers from 0 to 255, unless a comment names another scale.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<Texel> texels;

    Texel& at(int x, int y) { return texels[index(x, y)]; }
    [[nodiscard]] const Texel& at(int x, int y) const { return texels[index(x, y)]; }

  private:
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

}  // namespace cudabook::texture_unit
