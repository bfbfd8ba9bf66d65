// A grid's colours, drawn by the CPU.
#pragma once

#include <cstddef>

namespace cudabook::heat {

/// Draws so many temperatures to host memory, 4 bytes a cell.
void draw_cells(unsigned char* rgba, const float* cells, std::size_t count);

}  // namespace cudabook::heat
