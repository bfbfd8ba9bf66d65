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

/// Draws the edges of the texture and, if they are far enough apart, the edges of its texels. `first`: the
/// size of the first level; `read`: the size of the level whose texels are shown.
void draw_grid(const Drawing& canvas, const Look& look, Size first, Size read);

/// Outlines the texels that are read, at their places under the mouse. If the address modes read other texels
/// in their place, these get a thin outline too. The first level's texels are yellow, the second's blue.
void draw_reads(const Drawing& canvas, const Look& look, const LookModel& model,
                const std::vector<Read>& reads);

/// Draws a small cross at a pixel, to show in files where the mouse was.
void draw_cross(const Drawing& drawing, Cell at);

/// The weights in 256ths, as labels on the texels of the first level under the mouse, if the texels are large
/// enough.
std::vector<cudabook::Label> weight_labels(const Look& look, Size picture, const LookModel& model,
                                           const std::vector<Read>& reads);

}  // namespace cudabook::texture_unit
