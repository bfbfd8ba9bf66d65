// What is drawn on the picture: the edges of the texture and of its texels, and the texels under the mouse.
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

/// Draws the edges of the texture and, where they are far enough apart, those of its texels. `first`, `read`:
/// the sizes of the first level and of the one whose texels are shown.
void draw_grid(const Drawing& canvas, const Look& look, Size first, Size read);

/// Outlines the texels that are read: where they lie at the mouse and, where the address modes read others in
/// their place, thinly those too. The first level's in yellow, the second's in blue.
void draw_reads(const Drawing& canvas, const Look& look, const LookModel& model,
                const std::vector<Read>& reads);

/// Draws a small cross at a pixel, which shows in files where the mouse was.
void draw_cross(const Drawing& drawing, Cell at);

/// The weights in 256ths, as labels on the texels of the first level at the mouse, where they are large
/// enough for them.
std::vector<cudabook::Label> weight_labels(const Look& look, Size picture, const LookModel& model,
                                           const std::vector<Read>& reads);

}  // namespace cudabook::texture_unit
