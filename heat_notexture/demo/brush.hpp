// What the mouse paints: sources along the path of a drag.
#pragma once

#include <vector>

#include "common/window/input.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// Paints along one piece of a drag into the sources of a width × height grid: hot sources with the left
/// button, cold ones with the right one; with Shift it takes sources away. Returns the region that was
/// painted.
Region paint_sources(std::vector<float>& sources, int width, int height, const Drag& drag);

}  // namespace cudabook::heat
