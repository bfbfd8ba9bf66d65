// The expected pictures of the book's room.
#pragma once

#include <cstddef>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "heat_notexture/scene.hpp"
#include "tests/support/png_picture.hpp"

namespace cudabook::test {

/// Returns the picture of a grid. The pixels begin with the top row; row 0 of the grid is the bottom row.
inline std::vector<Rgba> picture_of(const std::vector<float>& cells, int width) {
    const auto row = static_cast<std::ptrdiff_t>(width);
    std::vector<Rgba> pixels;
    pixels.reserve(cells.size());
    for (auto end = cells.end(); end != cells.begin(); end -= row)
        for (auto cell = end - row; cell != end; ++cell) pixels.push_back(colour_of(*cell));
    return pixels;
}

/// Returns the picture of the room after `steps` steps.
inline std::vector<Rgba> picture_after(int width, int height, int steps) {
    heat::ReferenceSolver solver(heat::book_scene(width, height), {});
    solver.advance(steps);
    return picture_of(solver.temperatures(), width);
}

}  // namespace cudabook::test
