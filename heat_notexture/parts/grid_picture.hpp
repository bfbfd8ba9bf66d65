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

/// Draws a grid. If the grid has at most 4096 cells a side, each pixel is a cell. In a larger grid, each
/// pixel is the average temperature of n × n cells, with the least n that gives at most 4096 pixels a side.
/// The bytes do not depend on how the grid is divided. All workers call this. The first worker gets the
/// picture, the other workers get an empty picture. part: null if the worker has no part.
Picture picture(Worker& worker, const Partition& partition, const PartSolver* part);

}  // namespace cudabook::heat
