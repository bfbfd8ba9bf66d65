#include "common/heat/parts/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/numbers/crc32.hpp"

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

std::uint32_t checksum_of_rows(Worker& worker, const Partition& partition,
                               const std::vector<std::uint32_t>& rows) {
    const auto all =
        worker.gather({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]});
    // A row of a part is as long as any other of its column.
    std::vector<Crc32Append> append;
    for (int column = 0; column < partition.columns(); ++column)
        append.emplace_back(static_cast<std::size_t>(partition.part(column).width) * sizeof(float));
    std::uint32_t sum = 0;
    for (int first = 0; first < partition.parts(); first += partition.columns())
        for (int y = 0; y < partition.part(first).height; ++y)
            for (int column = 0; column < partition.columns(); ++column) {
                const auto part = static_cast<std::size_t>(first) + static_cast<std::size_t>(column);
                const auto row = static_cast<std::size_t>(y);
                std::uint32_t next = 0;
                std::memcpy(&next, all[part].data() + row * sizeof next, sizeof next);
                sum = append[static_cast<std::size_t>(column)](sum, next);
            }
    return sum;
}

void add_checksums(std::vector<std::uint32_t>& rows, std::span<const float> cells, int width) {
    const auto cells_of_row = static_cast<std::size_t>(width);
    for (std::size_t begin = 0; begin < cells.size(); begin += cells_of_row)
        rows.push_back(cudabook::checksum(cells.subspan(begin, cells_of_row)));
}

std::uint32_t checksum(Worker& worker, const Partition& partition, const PartSolver* part) {
    std::vector<std::uint32_t> rows;
    if (part != nullptr)
        for_each_band(part->part(), [&](const Region& band, std::span<float> cells) {
            part->read(band, cells.data());
            add_checksums(rows, cells, band.width);
        });
    return checksum_of_rows(worker, partition, rows);
}

}  // namespace cudabook::heat
