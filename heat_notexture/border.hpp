// The borders between the parts of a grid.
#pragma once

#include <vector>

#include "heat_notexture/region.hpp"

namespace cudabook::heat {

/// The sides of a part; `bottom` is towards row 0.
enum class Side { left, right, bottom, top };
inline constexpr Side all_sides[] = {Side::left, Side::right, Side::bottom, Side::top};

/// A border between this worker's part and another worker's part, in the coordinates of this part's solver.
struct Border {
    int worker = 0;  ///< the other worker
    Side side = Side::left;
    Region edge;  ///< cells of this part that the other worker needs
    Region halo;  ///< cells of the other worker's part that this part needs
};

/// All borders of a part. The halos at the left and right are exchanged first. The rows that are then
/// exchanged at the bottom and top include these halos, so that the corners are exchanged too.
struct Borders {
    std::vector<Border> beside;
    std::vector<Border> above_and_below;
};

}  // namespace cudabook::heat
