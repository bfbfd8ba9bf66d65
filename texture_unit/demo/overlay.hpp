// The drawings on the picture: the edges of the texture and of its texels, and the texels under the mouse.
#pragma once

#include <vector>

#include "common/window/geometry.hpp"
#include "common/window/input.hpp"
#include "common/window/panel.hpp"
#include "texture_unit/demo/explain.hpp"
#include "texture_unit/demo/look.hpp"

namespace cudabook::texture_unit {

/// RGBA pixels, 4 bytes each, row 0 at the bottom.
struct Drawing {
    unsigned char* rgba = nullptr;
    Size size;
};

/// Draws the edges of the texture. Also draws the edges of the texels if the texels are large enough. `first`
/// is the size of the first level, and `read` is the size of the level whose texels are shown.
void draw_grid(const Drawing& canvas, const Look& look, Size first, Size read);

/// Outlines the texels that the fetch under the mouse reads. Texels have thick outlines. A place outside the
/// texture, for which the address modes read another texel or the border, has a thin outline. Outlines are
/// yellow in the first level that is read, and blue in the second level.
void draw_reads(const Drawing& canvas, const Look& look, const LookModel& model,
                const std::vector<Read>& reads);

/// Draws a small cross at a pixel, to show in files where the mouse was.
void draw_cross(const Drawing& drawing, Cell at);

/// Returns labels with the weights in 256ths, for the places that the fetch reads in the first level. Returns
/// no labels if the texels are too small.
std::vector<cudabook::Label> weight_labels(const Look& look, Size picture, const LookModel& model,
                                           const std::vector<Read>& reads);

}  // namespace cudabook::texture_unit
