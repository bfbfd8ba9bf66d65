// heat_notexture/demo/brush.hpp: the cells that a drag paints, the source that it paints, and the region that
// it reports. The shape of lines and discs is tested with the simulation that paints them
// (test_simulation.cpp).
#include "heat_notexture/demo/brush.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "heat_notexture/scene.hpp"

namespace cudabook::heat {
namespace {

constexpr int columns = 30;
constexpr int rows = 20;

std::vector<float> painted(const Drag& drag, Region& region) {
    std::vector<float> sources(std::size_t{columns} * rows, 0.5F);
    region = paint_sources(sources, columns, rows, drag);
    return sources;
}

float at(const std::vector<float>& sources, int x, int y) {
    return sources[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)];
}

TEST(HeatBrush, ButtonAndShiftChooseTheSource) {
    Region region;
    const Cell cell{10, 8};
    EXPECT_EQ(at(painted({Button::left, false, cell, cell}, region), 10, 8), max_temperature);
    EXPECT_EQ(at(painted({Button::right, false, cell, cell}, region), 10, 8), min_temperature);
    EXPECT_EQ(at(painted({Button::left, true, cell, cell}, region), 10, 8), 0);
    EXPECT_EQ(at(painted({Button::right, true, cell, cell}, region), 10, 8), 0);
    EXPECT_EQ(region, (Region{9, 7, 3, 3}));
}

TEST(HeatBrush, TheRegionHoldsAllThatWasPainted) {
    const Drag drags[] = {{Button::left, false, {3, 4}, {25, 15}},
                          {Button::left, false, {25, 4}, {3, 15}},
                          {Button::left, false, {0, 0}, {29, 19}},
                          {Button::left, false, {29, 19}, {29, 19}}};
    for (const Drag& drag : drags) {
        Region region;
        const std::vector<float> sources = painted(drag, region);
        EXPECT_GE(region.x, 0);
        EXPECT_GE(region.y, 0);
        EXPECT_LE(region.x + region.width, columns);
        EXPECT_LE(region.y + region.height, rows);
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                const bool inside = x >= region.x && x < region.x + region.width && y >= region.y &&
                                    y < region.y + region.height;
                EXPECT_TRUE(inside || at(sources, x, y) == 0.5F) << x << ", " << y;
            }
        EXPECT_EQ(at(sources, drag.from.x, drag.from.y), max_temperature);
        EXPECT_EQ(at(sources, drag.to.x, drag.to.y), max_temperature);
    }
}

}  // namespace
}  // namespace cudabook::heat
