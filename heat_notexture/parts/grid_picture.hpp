// The picture of a divided grid, of at most 4096 pixels a side.
#pragma once

#include <vector>

#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// RGBA pixels, 4 bytes each, row-major, row 0 at the bottom.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<unsigned char> rgba;
};

/// A grid of up to 4096 cells a side has a pixel for each cell; of a larger one a pixel is the average of the
/// temperatures of as many cells in both directions as it takes. The same bytes however the grid is divided.
/// All workers call it, and the first gets the picture; `part`: null where the worker has none.
Picture picture(Worker& worker, const Partition& partition, const PartSolver* part);

}  // namespace cudabook::heat
