// Where two parts of a grid meet.
#pragma once

#include <vector>

#include "heat_notexture/region.hpp"

namespace cudabook::heat {

/// The sides of a part; `bottom` is towards row 0.
enum class Side { left, right, bottom, top };
inline constexpr Side all_sides[] = {Side::left, Side::right, Side::bottom, Side::top};

/// A border with another worker's part, in the coordinates of a part's solver.
struct Border {
    int worker = 0;  ///< the other one
    Side side = Side::left;
    Region edge;  ///< cells of the part that the other worker needs
    Region halo;  ///< cells of the other part that this one needs
};

/// All borders of a part. Those at the left and right are exchanged first, and those at the bottom and top
/// with the halos of the first ones, so that the corners come along.
struct Borders {
    std::vector<Border> beside;
    std::vector<Border> above_and_below;
};

}  // namespace cudabook::heat
