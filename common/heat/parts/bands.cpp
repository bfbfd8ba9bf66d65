#include "common/heat/parts/bands.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cudabook::heat {

void for_each_band(const Region& region,
                   const std::function<void(const Region& band, std::span<float> cells)>& visit) {
    constexpr int most_cells = 1 << 22;
    const int most_rows = std::clamp(most_cells / region.width, 1, region.height);
    std::vector<float> cells(static_cast<std::size_t>(region.width) * static_cast<std::size_t>(most_rows));
    for (int y = 0; y < region.height; y += most_rows) {
        const Region band{region.x, region.y + y, region.width, std::min(most_rows, region.height - y)};
        visit(band, std::span(cells).first(static_cast<std::size_t>(band.width) *
                                           static_cast<std::size_t>(band.height)));
    }
}

}  // namespace cudabook::heat
