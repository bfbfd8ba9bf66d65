#include "common/heat/demo/draw_cells.hpp"

#include <cstddef>

#include "common/heat/cpu/row_kernels.hpp"

namespace cudabook::heat {

void draw_cells(unsigned char* rgba, const float* cells, std::size_t count) {
    row_kernels().front().draw(rgba, cells, count);
}

}  // namespace cudabook::heat
