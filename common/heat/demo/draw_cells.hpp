// A grid's colours, drawn by the CPU.
#pragma once

#include <vector>

namespace cudabook::heat {

/// Draws temperatures, row-major, to host memory, 4 bytes a cell, on all cores.
void draw_cells(unsigned char* rgba, const std::vector<float>& cells);

}  // namespace cudabook::heat
