// Painting with the mouse: sources along the path of a drag.
#pragma once

#include <vector>

#include "common/window/input.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// Paints sources along one piece of a drag into the sources of a width × height grid: hot sources with the
/// left button, cold sources with the right button. With Shift, removes sources. Returns a rectangle that
/// contains all painted cells.
Region paint_sources(std::vector<float>& sources, int width, int height, const Drag& drag);

}  // namespace cudabook::heat
