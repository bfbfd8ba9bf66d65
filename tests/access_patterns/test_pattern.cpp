// The patterns of access_patterns against their definitions, written as loops over rows, columns, tiles and
// lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "access_patterns/pattern.hpp"

namespace cudabook::access_patterns {
namespace {

using Order = std::vector<std::uint32_t>;

/// Shapes of 1 to 2^14 elements, as wide as high or twice as wide.
std::vector<ArrayShape> shapes() {
    std::vector<ArrayShape> all;
    for (unsigned bits = 0; bits <= 14; ++bits) all.push_back({(bits + 1) / 2, bits / 2});
    return all;
}

Pattern make(const std::string& name, ArrayShape shape, double degrees = 30) {
    const auto& all = patterns();
    return std::ranges::find(all, name, &NamedPattern::name)->make(shape, degrees);
}

std::uint32_t at(const Pattern& pattern, std::uint32_t i) {
    return std::visit([i](const auto& walk) { return walk(i); }, pattern);
}

Order order_of(const Pattern& pattern, ArrayShape shape) {
    Order order(shape.elements());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = at(pattern, i);
    return order;
}

/// Returns the elements in the order in which `walk` passes their x and y to its argument.
Order order_by(ArrayShape shape,
               const std::function<void(const std::function<void(std::uint32_t, std::uint32_t)>&)>& walk) {
    Order order;
    walk([&](std::uint32_t x, std::uint32_t y) { order.push_back(y * shape.width() + x); });
    return order;
}

void expect_order(const std::string& name, ArrayShape shape, const Order& expected, double degrees = 30) {
    EXPECT_EQ(order_of(make(name, shape, degrees), shape), expected)
        << name << ", " << shape.width() << " x " << shape.height();
}

TEST(AccessPattern, ShapeIsSquareOrTwiceAsWide) {
    for (const std::size_t bytes : {std::size_t{16384}, std::size_t{1} << 28U})
        for (const std::size_t element : {1, 2, 4, 8, 16}) {
            const ArrayShape shape = shape_of(bytes, element);
            EXPECT_EQ(shape.elements() * element, bytes);
            const std::uint32_t ratio = shape.width() / shape.height();
            EXPECT_TRUE(ratio == 1 || ratio == 2) << ratio;
        }
}

TEST(AccessPattern, EveryOneReadsEachElementOnce) {
    for (const ArrayShape shape : shapes())
        for (const NamedPattern& pattern : patterns())
            for (const double degrees : {0.0, 30.0, 45.0, 77.5, 123.0, -200.0, 1e6}) {
                Order order = order_of(pattern.make(shape, degrees), shape);
                std::ranges::sort(order);
                Order all(shape.elements());
                std::iota(all.begin(), all.end(), 0U);
                ASSERT_EQ(order, all) << pattern.name << ' ' << degrees << ", " << shape.bits() << " bits";
                if (pattern.name != "rotated") break;
            }
}

TEST(AccessPattern, RowsAndColumns) {
    for (const ArrayShape shape : shapes()) {
        expect_order("rows", shape, order_by(shape, [&](const auto& read) {
                         for (std::uint32_t y = 0; y < shape.height(); ++y)
                             for (std::uint32_t x = 0; x < shape.width(); ++x) read(x, y);
                     }));
        expect_order("columns", shape, order_by(shape, [&](const auto& read) {
                         for (std::uint32_t x = 0; x < shape.width(); ++x)
                             for (std::uint32_t y = 0; y < shape.height(); ++y) read(x, y);
                     }));
    }
}

TEST(AccessPattern, Tiles) {
    for (const auto& [name, most_width, most_height] :
         {std::tuple("tile_8x8", 8U, 8U), std::tuple("tile_32x8", 32U, 8U)})
        for (const ArrayShape shape : shapes()) {
            const std::uint32_t width = std::min(most_width, shape.width());
            const std::uint32_t height = std::min(most_height, shape.height());
            expect_order(name, shape, order_by(shape, [&](const auto& read) {
                             for (std::uint32_t top = 0; top < shape.height(); top += height)
                                 for (std::uint32_t left = 0; left < shape.width(); left += width)
                                     for (std::uint32_t y = 0; y < height; ++y)
                                         for (std::uint32_t x = 0; x < width; ++x) read(left + x, top + y);
                         }));
        }
}

TEST(AccessPattern, Strides) {
    for (const std::uint32_t stride : {2U, 4U, 8U, 16U, 32U, 64U})
        for (const ArrayShape shape : shapes()) {
            Order order;
            for (std::uint32_t first = 0; first < std::min(stride, shape.elements()); ++first)
                for (std::uint32_t j = first; j < shape.elements(); j += stride) order.push_back(j);
            expect_order("stride_" + std::to_string(stride), shape, order);
        }
}

/// Halves a rectangle until it is one element: a square into an upper and a lower half, other rectangles into
/// a left and a right half.
void halve(std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height,
           const std::function<void(std::uint32_t, std::uint32_t)>& read) {
    if (width * height == 1) return read(x, y);
    if (width > height) {
        halve(x, y, width / 2, height, read);
        halve(x + width / 2, y, width / 2, height, read);
    } else {
        halve(x, y, width, height / 2, read);
        halve(x, y + height / 2, width, height / 2, read);
    }
}

TEST(AccessPattern, MortonsCurveHalvesThePlane) {
    for (const ArrayShape shape : shapes())
        expect_order("morton", shape, order_by(shape, [&](const auto& read) {
                         halve(0, 0, shape.width(), shape.height(), read);
                     }));
}

TEST(AccessPattern, QuarterTurnsAreRowsAndColumnsBothWays) {
    for (const ArrayShape shape : shapes()) {
        const std::uint32_t right = shape.width() - 1;
        const std::uint32_t bottom = shape.height() - 1;
        const auto lines = [&](bool in_columns, const auto& place) {
            return order_by(shape, [&](const auto& read) {
                for (std::uint32_t v = 0; v < (in_columns ? shape.width() : shape.height()); ++v)
                    for (std::uint32_t u = 0; u < (in_columns ? shape.height() : shape.width()); ++u)
                        place(read, u, v);
            });
        };
        const Order turned_0 = lines(false, [](const auto& read, auto u, auto v) { read(u, v); });
        const Order turned_90 = lines(true, [&](const auto& read, auto u, auto v) { read(right - v, u); });
        const Order turned_180 =
            lines(false, [&](const auto& read, auto u, auto v) { read(right - u, bottom - v); });
        const Order turned_270 = lines(true, [&](const auto& read, auto u, auto v) { read(v, bottom - u); });
        for (const double turns : {0.0, 360.0, -720.0}) {
            expect_order("rotated", shape, turned_0, turns);
            expect_order("rotated", shape, turned_90, turns + 90);
            expect_order("rotated", shape, turned_180, turns + 180);
            expect_order("rotated", shape, turned_270, turns + 270);
        }
    }
}

/// Eight steps along a line move by 8 elements in its direction, except where the line meets the edge of the
/// array and goes on elsewhere.
TEST(AccessPattern, RotatedLinesHaveTheirAngle) {
    const ArrayShape shape{9, 9};
    for (double degrees = 0; degrees < 360; degrees += 7.5) {
        const Order order = order_of(make("rotated", shape, degrees), shape);
        const double angle = degrees * std::numbers::pi / 180;
        std::size_t along = 0;
        std::size_t walked = 0;
        for (std::size_t i = 0; i + 8 < order.size(); i += 8, ++walked) {
            const auto moved = [&](std::uint32_t shift) {
                return static_cast<double>(order[i + 8] >> shift & 511U) -
                       static_cast<double>(order[i] >> shift & 511U);
            };
            const double off = std::hypot(moved(0) - 8 * std::cos(angle), moved(9) - 8 * std::sin(angle));
            if (off < 2.5) ++along;
        }
        EXPECT_GT(static_cast<double>(along), 0.93 * static_cast<double>(walked)) << degrees;
    }
}

/// In a random order, each 16th of the order has about the same share of elements in each 16th of the array.
TEST(AccessPattern, RandomIsEverywhereAtAnyTime) {
    const ArrayShape shape{10, 10};
    const Order order = order_of(make("random", shape), shape);
    const std::size_t part = order.size() / 16;
    for (std::size_t time = 0; time < 16; ++time) {
        std::vector<std::size_t> hits(16);
        for (std::size_t i = time * part; i < (time + 1) * part; ++i) ++hits[order[i] / part];
        for (const std::size_t count : hits) {
            EXPECT_GT(count, part / 16 * 9 / 10) << time;
            EXPECT_LT(count, part / 16 * 11 / 10) << time;
        }
    }
    std::size_t near = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
        near += std::llabs(std::int64_t{order[i]} - std::int64_t{order[i - 1]}) < 1024 ? 1 : 0;
    EXPECT_LT(near, order.size() / 200) << "of independent places 1 in 512 are so near";
}

TEST(AccessPattern, RandomInTileStaysInItsTile) {
    for (const ArrayShape shape : {ArrayShape{5, 5}, ArrayShape{6, 5}, ArrayShape{7, 6}, ArrayShape{3, 2}}) {
        const Order order = order_of(make("random_in_tile", shape), shape);
        const std::uint32_t width = std::min(32U, shape.width());
        const std::uint32_t height = std::min(32U, shape.height());
        std::size_t in_order = 0;
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            const std::uint32_t tile = i / (width * height);
            const std::uint32_t tiles_across = shape.width() / width;
            ASSERT_EQ(order[i] % shape.width() / width, tile % tiles_across) << i;
            ASSERT_EQ(order[i] / shape.width() / height, tile / tiles_across) << i;
            if (i > 0 && order[i] == order[i - 1] + 1) ++in_order;
        }
        EXPECT_LT(in_order, order.size() / 8) << shape.bits();
    }
}

TEST(AccessPattern, BitsArePermutedApartWhereThatIsSaid) {
    const ArrayShape shape{7, 6};
    for (const NamedPattern& named : patterns())
        std::visit(
            [&](const auto& walk) {
                if constexpr (std::decay_t<decltype(walk)>::permutes_bits) {
                    for (std::uint32_t i = 0; i < shape.elements(); i += 37)
                        for (const std::uint32_t bit : {1U, 64U, 1024U, 4096U})
                            ASSERT_EQ(walk(i ^ bit), walk(i) ^ walk(bit)) << named.name;
                }
            },
            named.make(shape, 0));
}

TEST(AccessPattern, NamesAreDifferent) {
    for (const NamedPattern& pattern : patterns())
        EXPECT_EQ(std::ranges::count(patterns(), pattern.name, &NamedPattern::name), 1) << pattern.name;
    EXPECT_EQ(patterns().size(), 14U);
}

}  // namespace
}  // namespace cudabook::access_patterns
