// The memory traffic of patterns, compared with sets of sectors gathered element by element; and floors
// calculated by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "access_patterns/floor.hpp"
#include "access_patterns/traffic.hpp"

namespace cudabook::access_patterns {
namespace {

constexpr unsigned all_tiles = 1U << 20U;

const NamedPattern& named(const std::string& name) {
    return *std::ranges::find(patterns(), name, &NamedPattern::name);
}

Demand demand(const std::string& pattern, std::size_t bytes, std::size_t element, Path path) {
    return demand_of(named(pattern).make(shape_of(bytes, element), 30), bytes, element, path, all_tiles);
}

TEST(AccessTraffic, ByHand) {
    constexpr std::size_t bytes = 1U << 16U;
    const auto per_request = [](const std::string& pattern, std::size_t element, Path path) {
        return demand(pattern, bytes, element, path).sectors_per_request();
    };
    EXPECT_EQ(per_request("rows", 1, Path::global), 1);
    EXPECT_EQ(per_request("rows", 4, Path::global), 4);
    EXPECT_EQ(per_request("rows", 16, Path::global), 16);
    EXPECT_EQ(per_request("rows", 4, Path::linear), 4) << "8 threads at a time, a sector for each";
    EXPECT_EQ(per_request("rows", 1, Path::linear), 4) << "a sector for 8 threads";
    EXPECT_EQ(per_request("rows", 4, Path::pitched), 8) << "4 threads at a time, half a sector each";
    EXPECT_EQ(per_request("rows", 4, Path::array), 8) << "16 bytes of a row are half a sector";
    EXPECT_EQ(per_request("columns", 4, Path::global), 32);
    EXPECT_EQ(per_request("columns", 4, Path::array), 16) << "two rows share a sector";
    EXPECT_EQ(per_request("tile_8x8", 4, Path::global), 4) << "four rows of 32 bytes";
    EXPECT_EQ(per_request("stride_2", 4, Path::global), 8);
    EXPECT_EQ(per_request("stride_64", 4, Path::global), 32);
    EXPECT_EQ(per_request("morton", 4, Path::global), 4) << "8 x 4 elements";
    EXPECT_EQ(per_request("rows", 4, Path::wide), 8);
}

TEST(AccessTraffic, BlocksReadTheirSectorsOnce) {
    constexpr std::size_t bytes = 1U << 22U;
    EXPECT_EQ(demand("rows", bytes, 4, Path::global).bytes_per_element(), 4);
    EXPECT_EQ(demand("tile_8x8", bytes / 4, 1, Path::global).bytes_per_element(), 1)
        << "other warps of the block read the other rows' ends";
    EXPECT_EQ(demand("stride_64", bytes / 4, 1, Path::global).bytes_per_element(), 32);
    EXPECT_EQ(demand("columns", bytes, 4, Path::global).bytes_per_element(), 16)
        << "a block reads two columns of 1024 elements";
    EXPECT_GT(demand("random", bytes, 4, Path::global).bytes_per_element(), 31);
}

/// Compares the traffic with the sectors of every element's first and last byte, found from the layouts'
/// definition.
TEST(AccessTraffic, IsThatOfTheSetsOfSectors) {
    constexpr std::size_t bytes = 1U << 14U;
    for (const std::size_t element : element_sizes)
        for (const NamedPattern& pattern : patterns())
            for (const Path path :
                 {Path::global, Path::linear, Path::pitched, Path::array, Path::surface, Path::wide}) {
                const ArrayShape shape = shape_of(bytes, element);
                const Pattern order = pattern.make(shape, 30);
                const bool in_array = path == Path::array || path == Path::surface;
                const bool by_unit = path != Path::global && path != Path::surface;
                const std::size_t together = !by_unit ? 32 : path == Path::linear && element < 16 ? 8 : 4;
                const std::size_t tile = walk_tile(element);
                std::size_t sectors = 0;
                std::size_t of_tiles = 0;
                std::set<std::pair<std::size_t, std::size_t>> group;
                std::set<std::pair<std::size_t, std::size_t>> of_tile;
                std::set<std::pair<std::size_t, std::size_t>> halves;
                std::size_t all_halves = 0;
                for (std::uint32_t i = 0; i < shape.elements(); ++i) {
                    const std::uint32_t j = std::visit([i](const auto& walk) { return walk(i); }, order);
                    const std::size_t x = j % shape.width() * element;
                    const std::size_t y = j / shape.width();
                    const std::pair<std::size_t, std::size_t> sector =
                        in_array ? std::pair(y / 2, x / 16) : std::pair(y, x / 32);
                    group.insert(sector);
                    of_tile.insert(sector);
                    if (in_array) halves.emplace(y, x / 16);
                    if ((i + 1) % together == 0) sectors += std::exchange(group, {}).size();
                    if ((i + 1) % tile == 0) {
                        of_tiles += std::exchange(of_tile, {}).size();
                        all_halves += std::exchange(halves, {}).size();
                    }
                }
                const Demand found = demand(pattern.name, bytes, element, path);
                ASSERT_EQ(found.sectors, sectors)
                    << pattern.name << ", " << element << " bytes, path " << static_cast<int>(path);
                ASSERT_EQ(found.tile_sectors, of_tiles) << pattern.name << ", " << element << " bytes";
                ASSERT_EQ(found.tile_halves, all_halves) << pattern.name << ", " << element << " bytes";
                EXPECT_EQ(found.requests, shape.elements() / 32);
                EXPECT_EQ(found.elements, shape.elements());
            }
}

TEST(AccessTraffic, ASampleIsNearTheWhole) {
    constexpr std::size_t bytes = 1U << 20U;
    for (const NamedPattern& pattern : patterns()) {
        const Pattern order = pattern.make(shape_of(bytes, 4), 30);
        const Demand all = demand_of(order, bytes, 4, Path::global, all_tiles);
        const Demand some = demand_of(order, bytes, 4, Path::global, 16);
        EXPECT_EQ(some.elements, 16 * walk_tile(4));
        EXPECT_NEAR(some.sectors_per_request() / all.sectors_per_request(), 1, 0.05) << pattern.name;
        EXPECT_NEAR(some.bytes_per_element() / all.bytes_per_element(), 1, 0.1) << pattern.name;
    }
}

TEST(AccessTraffic, BothRowsOfAnArraysSector) {
    constexpr std::size_t bytes = 1U << 26U;
    const auto some = [](const std::string& pattern, Path path) {
        return demand_of(named(pattern).make(shape_of(bytes, 4), 0), bytes, 4, path, 16);
    };
    EXPECT_EQ(some("rows", Path::array).bytes_per_element(), 8) << "a tile is within a row";
    EXPECT_EQ(some("rows", Path::array).bytes_per_element_of_rows(), 4);
    EXPECT_EQ(some("stride_4", Path::array).bytes_per_element_of_rows(), 16);
    EXPECT_EQ(some("stride_32", Path::surface).bytes_per_element_of_rows(), 16);
    EXPECT_EQ(some("stride_32", Path::global).bytes_per_element_of_rows(), 32);
}

class AccessFloor : public testing::Test {
  protected:
    /// The floor for 2^20 elements of 4 bytes, if a block moves 16 bytes for each element. In an array, it
    /// moves `halves` of the two halves of a sector.
    static Floor floor(const std::string& pattern, const Ceilings& ceilings,
                       DeviceKind device = DeviceKind::cuda, std::uint64_t halves = 0) {
        Demand moved;
        moved.elements = 2;
        moved.tile_sectors = 1;
        moved.tile_halves = halves;
        const Kernel kernel{.name = "k", .memory = "", .what = "", .device = device, .path = Path::global};
        return floor_of(kernel, named(pattern), std::size_t{1} << 22U, 4, moved, ceilings);
    }
    static constexpr double mib = 0x1p20;
};

TEST_F(AccessFloor, ArrayInTheCacheHasNoFloorOfMemory) {
    const Ceilings ceilings{.memory_gb_per_s = 1, .cache_gb_per_s = 100, .cache_bytes = 1U << 24U};
    for (const char* pattern : {"rows", "random"}) {
        EXPECT_DOUBLE_EQ(floor(pattern, ceilings).ms, 16 * mib / 100e6);
        EXPECT_STREQ(floor(pattern, ceilings).by, "cache");
    }
}

TEST_F(AccessFloor, LateReturnsMoveSectorsAgain) {
    const Ceilings ceilings{.memory_gb_per_s = 10, .cache_gb_per_s = 1e3, .cache_bytes = 1U << 20U};
    EXPECT_DOUBLE_EQ(floor("rows", ceilings).ms, 4 * mib / 10e6) << "the array once";
    EXPECT_DOUBLE_EQ(floor("columns", ceilings).ms, 4 * mib / 10e6);
    EXPECT_DOUBLE_EQ(floor("random", ceilings).ms, 0.75 * 16 * mib / 10e6) << "a quarter is in the cache";
    EXPECT_DOUBLE_EQ(floor("stride_2", ceilings).ms, 0.75 * 16 * mib / 10e6);
    EXPECT_DOUBLE_EQ(floor("stride_2", ceilings, DeviceKind::cuda, 1).ms, 0.75 * 8 * mib / 10e6)
        << "an array's sector serves two rows";
    EXPECT_DOUBLE_EQ(floor("random", ceilings, DeviceKind::cuda, 1).ms, 0.75 * 16 * mib / 10e6);
    EXPECT_DOUBLE_EQ(floor("random", ceilings, DeviceKind::cpu).ms, 4 * mib / 10e6)
        << "how much a CPU's caches hold is not known";
    EXPECT_STREQ(floor("random", ceilings).by, "memory");
}

TEST_F(AccessFloor, WithoutACacheEveryTileMovesItsSectors) {
    const Ceilings ceilings{.memory_gb_per_s = 10};
    for (const char* pattern : {"columns", "rotated", "random", "random_in_tile"}) {
        EXPECT_DOUBLE_EQ(floor(pattern, ceilings).ms, 16 * mib / 10e6) << pattern;
        EXPECT_DOUBLE_EQ(floor(pattern, ceilings, DeviceKind::cpu).ms, 4 * mib / 10e6) << pattern;
    }
}

TEST_F(AccessFloor, UnitsMayBeTheSlowest) {
    Ceilings ceilings{.memory_gb_per_s = 1e3, .cache_gb_per_s = 1e3, .cache_bytes = 1U << 20U};
    ceilings.unit_rates[{"k", 4}] = 5;
    ceilings.unit_rates[{"k", 8}] = 1;
    ceilings.unit_rates[{"other", 4}] = 1;
    EXPECT_DOUBLE_EQ(floor("rows", ceilings).ms, mib / 5e6);
    EXPECT_STREQ(floor("rows", ceilings).by, "unit");
    ceilings.walk_rates["random"] = 2;
    EXPECT_DOUBLE_EQ(floor("random", ceilings).ms, mib / 2e6);
    EXPECT_STREQ(floor("random", ceilings).by, "walk");
    EXPECT_STREQ(floor("rows", ceilings).by, "unit");
}

}  // namespace
}  // namespace cudabook::access_patterns
