// heat_notexture/parts/partition.hpp: each cell has one worker, and neighbours are beside each other.
#include "heat_notexture/parts/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace cudabook::heat {
namespace {

struct Division {
    int width, height, workers, columns, rows;
};

class PartitionOf : public testing::TestWithParam<Division> {};

// The parts are rows of the grid unless another division moves fewer cells, and there are never more parts
// than cells.
INSTANTIATE_TEST_SUITE_P(Sizes, PartitionOf,
                         testing::Values(Division{10, 10, 1, 1, 1}, Division{10, 10, 2, 1, 2},
                                         Division{10, 10, 3, 1, 3}, Division{1024, 1024, 8, 1, 8},
                                         Division{1024, 1024, 9, 1, 9}, Division{1024, 1024, 16, 2, 8},
                                         Division{4096, 4096, 64, 4, 16}, Division{900, 187, 6, 3, 2},
                                         Division{1000, 10, 2, 2, 1}, Division{1000, 10, 4, 4, 1},
                                         Division{10, 1000, 4, 1, 4}, Division{7, 3, 5, 5, 1},
                                         Division{1, 3, 5, 1, 3}, Division{3, 1, 5, 3, 1},
                                         Division{1, 1, 9, 1, 1}, Division{3, 2, 7, 3, 2}));

TEST_P(PartitionOf, HasAsManyPartsAsItShould) {
    const auto [width, height, workers, columns, rows] = GetParam();
    const Partition partition(width, height, workers);
    EXPECT_EQ(partition.columns(), columns);
    EXPECT_EQ(partition.rows(), rows);
    EXPECT_LE(partition.parts(), workers);
}

TEST_P(PartitionOf, GivesEachCellToOneWorker) {
    const auto [width, height, workers, columns, rows] = GetParam();
    const Partition partition(width, height, workers);
    std::vector<int> owners(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::vector<int> sizes;
    for (int i = 0; i < partition.parts(); ++i) {
        for_each_cell(partition.part(i), width, [&](std::size_t cell) { ++owners.at(cell); });
        sizes.push_back(partition.part(i).height);
    }
    EXPECT_TRUE(std::ranges::all_of(owners, [](int count) { return count == 1; }));
    EXPECT_LE(*std::ranges::max_element(sizes) - *std::ranges::min_element(sizes), 1);
}

TEST_P(PartitionOf, KnowsTheNeighbours) {
    const auto [width, height, workers, columns, rows] = GetParam();
    const Partition partition(width, height, workers);
    for (int i = 0; i < partition.parts(); ++i) {
        const Region own = partition.part(i);
        const auto right = partition.neighbour(i, Side::right);
        EXPECT_EQ(right.has_value(), own.x + own.width < width);
        if (right) {
            EXPECT_EQ(partition.part(*right).x, own.x + own.width);
            EXPECT_EQ(partition.part(*right).y, own.y);
            EXPECT_EQ(partition.neighbour(*right, Side::left), i);
        }
        const auto top = partition.neighbour(i, Side::top);
        EXPECT_EQ(top.has_value(), own.y + own.height < height);
        if (top) {
            EXPECT_EQ(partition.part(*top).y, own.y + own.height);
            EXPECT_EQ(partition.part(*top).x, own.x);
            EXPECT_EQ(partition.neighbour(*top, Side::bottom), i);
        }
    }
}

TEST(PartitionHalo, IsWhereANeighbourIs) {
    const Partition partition(403, 60, 6);  // 3 x 2
    EXPECT_EQ(partition.with_halo(0, 5), (Region{0, 0, 136 + 8, 30 + 5}));
    EXPECT_EQ(partition.with_halo(1, 5), (Region{136 - 8, 0, 132 + 16, 30 + 5}));
    EXPECT_EQ(partition.with_halo(5, 5), (Region{268 - 8, 30 - 5, 135 + 8, 30 + 5}));
    EXPECT_EQ(partition.deepest_halo(), 30);
    EXPECT_EQ(Partition(103, 7, 3).deepest_halo(), 32);
    EXPECT_EQ(Partition(7, 100, 3).deepest_halo(), 33);
    EXPECT_EQ(Partition(100, 7, 1).deepest_halo(), std::nullopt);
}

TEST(PartitionHalo, OfAWholeGridIsNone) {
    EXPECT_EQ(Partition(100, 7, 1).with_halo(0, std::numeric_limits<int>::max()), (Region{0, 0, 100, 7}));
}

TEST(PartitionHalo, HasNoMoreColumnsThanTheNeighbour) {
    const Partition narrow(10, 1, 5);  // too few columns to cut them at multiples of four
    EXPECT_EQ(narrow.part(1), (Region{2, 0, 2, 1}));
    EXPECT_EQ(narrow.with_halo(1, 1), (Region{0, 0, 6, 1}));
    const Borders borders = narrow.borders(1, 1);
    EXPECT_EQ(borders.beside[0].halo, (Region{0, 0, 2, 1}));
    EXPECT_EQ(borders.beside[1].edge, (Region{2, 0, 2, 1}));
}

}  // namespace
}  // namespace cudabook::heat
