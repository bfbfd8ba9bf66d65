#include "heat_notexture/parts/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace cudabook::heat {

namespace {

/// Returns the begin and the length of piece i of a whole. The first whole % pieces pieces are longer by one.
std::pair<int, int> piece(int whole, int pieces, int i) {
    const int length = whole / pieces;
    const int longer = whole % pieces;
    return {i * length + std::min(i, longer), length + (i < longer ? 1 : 0)};
}

/// Returns the begin and length of piece i of `columns`. If all pieces can be four cells wide, they begin
/// at multiples of four, because kernels read and write four cells at once; the last also has the rest.
std::pair<int, int> piece_of_columns(int width, int columns, int i) {
    const int fours = width / 4;
    if (fours < columns) return piece(width, columns, i);
    const auto [begin, length] = piece(fours, columns, i);
    return {4 * begin, 4 * length + (i + 1 == columns ? width % 4 : 0)};
}

int least_columns(int width, int columns) {
    int least = width;
    for (int i = 0; i < columns; ++i) least = std::min(least, piece_of_columns(width, columns, i).second);
    return least;
}

/// Returns the number of border cells of the part with the most border cells, for each cell of a halo's
/// depth. A cell at the left or right counts as four, because it is exchanged before the cells above and
/// below, and is not contiguous with its neighbours in memory. On eight H200s, dividing in rows only is
/// quicker than in rows and columns up to 32768 × 32768 cells.
std::int64_t longest_border(int width, int height, int columns, int rows) {
    const auto borders = [](int pieces) { return std::int64_t{std::min(pieces - 1, 2)}; };
    const std::int64_t part_width = piece_of_columns(width, columns, 0).second;
    const std::int64_t part_height = piece(height, rows, 0).second;
    return 4 * borders(columns) * part_height + borders(rows) * part_width;
}

}  // namespace

Partition::Partition(int width, int height, int workers) : width_(width), height_(height) {
    // Chooses the most parts; of equally many, the shortest borders; of equally short, the fewest columns,
    // because rows are contiguous.
    for (int columns = 1; columns <= std::min(workers, width); ++columns) {
        const int rows = std::min(workers / columns, height);
        const std::int64_t more = std::int64_t{columns} * rows - std::int64_t{columns_} * rows_;
        const bool shorter =
            longest_border(width, height, columns, rows) < longest_border(width, height, columns_, rows_);
        if (more > 0 || (more == 0 && shorter)) {
            columns_ = columns;
            rows_ = rows;
        }
    }
}

Region Partition::part(int worker) const {
    const auto [x, part_width] = piece_of_columns(width_, columns_, worker % columns_);
    const auto [y, part_height] = piece(height_, rows_, worker / columns_);
    return {x, y, part_width, part_height};
}

std::optional<int> Partition::neighbour(int worker, Side side) const {
    const int column = worker % columns_ + (side == Side::right ? 1 : 0) - (side == Side::left ? 1 : 0);
    const int row = worker / columns_ + (side == Side::top ? 1 : 0) - (side == Side::bottom ? 1 : 0);
    if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return std::nullopt;
    return column + row * columns_;
}

Region Partition::with_halo(int worker, int depth) const {
    const int columns = halo_columns(depth);
    const auto beyond = [&](Side side) {
        const int cells = side == Side::left || side == Side::right ? columns : depth;
        return neighbour(worker, side) ? cells : 0;
    };
    Region region = part(worker);
    region.x -= beyond(Side::left);
    region.y -= beyond(Side::bottom);
    region.width += beyond(Side::left) + beyond(Side::right);
    region.height += beyond(Side::bottom) + beyond(Side::top);
    return region;
}

Borders Partition::borders(int worker, int depth) const {
    const Region part = this->part(worker);
    const Region around = with_halo(worker, depth);
    const Region own{part.x - around.x, part.y - around.y, part.width, part.height};
    Borders borders;
    const auto left = neighbour(worker, Side::left);
    const auto right = neighbour(worker, Side::right);
    const auto bottom = neighbour(worker, Side::bottom);
    const auto top = neighbour(worker, Side::top);
    const int wide = halo_columns(depth);
    const auto columns = [&](int x) { return Region{x, own.y, wide, own.height}; };
    const auto rows = [&](int y) { return Region{0, y, around.width, depth}; };
    const int end_x = own.x + own.width;
    const int end_y = own.y + own.height;
    if (left) borders.beside.push_back({*left, Side::left, columns(own.x), columns(0)});
    if (right) borders.beside.push_back({*right, Side::right, columns(end_x - wide), columns(end_x)});
    if (bottom) borders.above_and_below.push_back({*bottom, Side::bottom, rows(own.y), rows(0)});
    if (top) borders.above_and_below.push_back({*top, Side::top, rows(end_y - depth), rows(end_y)});
    return borders;
}

int Partition::halo_columns(int depth) const {
    const int least = least_columns(width_, columns_);
    // For a grid of one part, `depth` is the largest int.
    return depth < least ? std::min((depth + 3) / 4 * 4, least) : least;
}

std::optional<int> Partition::deepest_halo() const {
    std::optional<int> depth;
    if (columns_ > 1) depth = least_columns(width_, columns_);
    if (rows_ > 1) depth = std::min(depth.value_or(height_ / rows_), height_ / rows_);
    return depth;
}

}  // namespace cudabook::heat
