#include "access_patterns/pattern.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace cudabook::access_patterns {

namespace {

Fields rows(ArrayShape shape) { return {shape.bits(), 0, 0, 0}; }

Fields columns(ArrayShape shape) { return {shape.bits(), 0, shape.height_bits, shape.width_bits}; }

/// Tiles of 2^width_bits × 2^height_bits elements, or smaller if the array is smaller. The tiles are in
/// row-major order, and so are the elements of a tile.
Fields tiles(ArrayShape shape, unsigned width_bits, unsigned height_bits) {
    const unsigned width = std::min(width_bits, shape.width_bits);
    return {shape.bits(), width, std::min(height_bits, shape.height_bits), shape.width_bits - width};
}

/// Every 2^log2-th element, then the elements after these, and so on.
Fields stride(ArrayShape shape, unsigned log2) {
    const unsigned bits = std::min(log2, shape.bits());
    return {shape.bits(), 0, shape.bits() - bits, bits};
}

template <unsigned log2>
NamedPattern stride_row(const char* name) {
    return {name, "every n-th element, then the elements beside them", Returns::by_rows,
            [](ArrayShape shape, double) -> Pattern { return stride(shape, log2); }};
}

double quarter_turns(double degrees) { return std::round(degrees / 90); }

/// The value of a function of the angle that remains after quarter turns, in units of 2^-16.
template <class Function>
std::int32_t of_rest(double degrees, Function function) {
    const double rest = (degrees - 90 * quarter_turns(degrees)) * std::numbers::pi / 180;
    return static_cast<std::int32_t>(std::lround(65536 * function(rest)));
}

}  // namespace

ArrayShape shape_of(std::size_t bytes, std::size_t element_bytes) {
    const auto bits = static_cast<unsigned>(std::countr_zero(bytes / element_bytes));
    return {(bits + 1) / 2, bits / 2};
}

Rotated::Rotated(ArrayShape shape, double degrees)
    : lines_(rows(shape)),
      width_bits_(shape.width_bits),
      x_mask_(shape.width() - 1),
      y_mask_(shape.height() - 1),
      tangent_(of_rest(degrees, [](double angle) { return std::tan(angle / 2); })),
      sine_(of_rest(degrees, [](double angle) { return std::sin(angle); })) {
    const double turns = quarter_turns(degrees);
    const auto quarter = static_cast<int>(turns - 4 * std::floor(turns / 4));  // 0 to 3
    if (quarter % 2 == 1) lines_ = columns(shape);
    const bool flips_x = quarter == 1 || quarter == 2;
    const bool flips_y = quarter >= 2;
    flips_ = (flips_x ? x_mask_ : 0) | (flips_y ? y_mask_ << width_bits_ : 0);
}

const std::vector<NamedPattern>& patterns() {
    static const std::vector<NamedPattern> all{
        {"rows", "row after row", Returns::soon,
         [](ArrayShape shape, double) -> Pattern { return rows(shape); }},
        {"columns", "column after column", Returns::soon,
         [](ArrayShape shape, double) -> Pattern { return columns(shape); }},
        {"tile_8x8", "tiles of 8 x 8 elements", Returns::soon,
         [](ArrayShape shape, double) -> Pattern { return tiles(shape, 3, 3); }},
        {"tile_32x8", "tiles of 32 x 8 elements", Returns::soon,
         [](ArrayShape shape, double) -> Pattern { return tiles(shape, 5, 3); }},
        stride_row<1>("stride_2"),
        stride_row<2>("stride_4"),
        stride_row<3>("stride_8"),
        stride_row<4>("stride_16"),
        stride_row<5>("stride_32"),
        stride_row<6>("stride_64"),
        {"morton", "Morton's space-filling curve", Returns::soon,
         [](ArrayShape shape, double) -> Pattern { return Morton(shape); }},
        {"rotated", "parallel lines at --angle", Returns::soon,
         [](ArrayShape shape, double degrees) -> Pattern {
             return Rotated(shape, std::remainder(degrees, 360));
         }},
        {"random", "all elements in random order", Returns::late,
         [](ArrayShape shape, double) -> Pattern { return Mixed(shape.bits(), rows(shape)); }},
        {"random_in_tile", "tiles of 32 x 32 elements, each in random order", Returns::soon,
         [](ArrayShape shape, double) -> Pattern {
             const unsigned bits =
                 std::min(log2_random_tile, shape.width_bits) + std::min(log2_random_tile, shape.height_bits);
             return Mixed(bits, tiles(shape, log2_random_tile, log2_random_tile));
         }},
    };
    return all;
}

}  // namespace cudabook::access_patterns
