#include "common/heat/demo/draw_cells.hpp"

#include <cstddef>
#include <cstring>

#include "common/numbers/colour_map.hpp"

namespace cudabook::heat {

void draw_cells(unsigned char* rgba, const std::vector<float>& cells) {
    const auto count = static_cast<std::ptrdiff_t>(cells.size());
#pragma omp parallel for
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const Rgba colour = colour_of(cells[static_cast<std::size_t>(i)]);
        std::memcpy(rgba + 4 * i, &colour, sizeof colour);
    }
}

}  // namespace cudabook::heat
