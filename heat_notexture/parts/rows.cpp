#include "heat_notexture/parts/rows.hpp"

#include <algorithm>
#include <cstddef>

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

GridChecksum::GridChecksum(const Worker& worker, const Partition& partition)
    : append_row_(static_cast<std::size_t>(partition.width()) * sizeof(float)) {
    if (worker.index() >= partition.parts()) return;
    const Region part = partition.part(worker.index());
    const auto width = static_cast<std::size_t>(partition.width());
    const auto rows = static_cast<std::size_t>(partition.height() - part.y - part.height);
    columns_ = static_cast<std::size_t>(part.width);
    cells_behind_ = rows * width + (width - static_cast<std::size_t>(part.x) - columns_);
}

void GridChecksum::add(std::span<const float> cells) {
    for (std::size_t begin = 0; begin < cells.size(); begin += columns_)
        own_ = append_row_(own_, cudabook::checksum(cells.subspan(begin, columns_)));
}

// The CRC-32 of the grid is the exclusive or of its pieces' CRC-32s, each moved by Crc32Append past the bytes
// that follow the piece.
std::uint32_t GridChecksum::of_all(Worker& worker) const {
    const std::uint32_t in_place = Crc32Append(cells_behind_ * sizeof(float))(own_, 0);
    std::uint32_t sum = 0;
    for (const std::int64_t piece : all_gather(worker, in_place)) sum ^= static_cast<std::uint32_t>(piece);
    return sum;
}

std::uint32_t checksum(Worker& worker, const Partition& partition, const PartSolver* part) {
    GridChecksum sum(worker, partition);
    if (part != nullptr)
        for_each_band(part->part(), [&](const Region& band, std::span<float> cells) {
            part->read(band, cells.data());
            sum.add(cells);
        });
    return sum.of_all(worker);
}

}  // namespace cudabook::heat
