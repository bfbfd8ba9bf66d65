// Pictures side by side with titles, pictures of differences, and the bytes of a PNG file.
#pragma once

#include <string>
#include <vector>

#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

struct Panel {
    std::string title;
    Image image;
};

/// Returns the panels from left to right, each below its title, and the caption above all panels, on a dark,
/// opaque background. Long text is broken into lines.
Image side_by_side(const std::string& caption, const std::vector<Panel>& panels);

/// Returns the panels in rows, each below its title. The number of columns is chosen so that the sheet's
/// width and height are about 4 : 3.
Image contact_sheet(const std::vector<Panel>& panels);

/// Returns |a - b| in each component, times `factor`. Sets `factor` to the largest power of two for which no
/// component of the result exceeds 255, or to 0 if the pictures are equal. A difference in alpha is added to
/// all three colours; the result's alpha is 255. The result is NaN where only one of two components is
/// finite, or where the components are different infinities. The pictures must have the same size.
Image difference(const Image& a, const Image& b, float& factor);

/// Returns a title for the picture of a difference: "difference x 64", "difference x 2^30", "difference / 4"
/// or "no difference".
std::string difference_title(float factor);

/// Returns the picture's bytes, 4 for each texel. Components are limited to 0 to 255 and rounded, halves
/// upwards. A texel with a component that is not finite becomes magenta. Row 0 is at the bottom, as in
/// common/program/png_file.hpp.
std::vector<unsigned char> rgba(const Image& image);

}  // namespace cudabook::texture_unit
