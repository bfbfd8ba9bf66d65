#include "common/heat/demo/draw_cells.hpp"

#include <cstddef>
#include <cstring>

#include "common/numbers/colour_map.hpp"

namespace cudabook::heat {

void draw_cells(unsigned char* rgba, const float* cells, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Rgba colour = colour_of(cells[i]);
        std::memcpy(rgba + 4 * i, &colour, sizeof colour);
    }
}

}  // namespace cudabook::heat
