// texture_unit's tables: the chapter's examples and the limits.
#include "texture_unit/table/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::texture_unit {
namespace {

using Points = std::vector<std::array<float, 3>>;

int rows_that_are_not_ok(const TableResult& table) {
    return static_cast<int>(std::ranges::count_if(
        table.rows, [](const Figures& row) { return *row.find("ok") == Figure(false); }));
}

bool says(const TableResult& table, std::string_view what) {
    return table.text.find(what) != std::string::npos;
}

TEST(Table, TheModelDoesWhatTheChapterSays) {
    const TableResult table = chapter_table(fetch_from_model);
    EXPECT_TRUE(table.ok) << table.text;
    EXPECT_EQ(rows_that_are_not_ok(table), 0);
    EXPECT_GT(table.rows.size(), 20U);
    EXPECT_FALSE(says(table, "NO"));
    for (const char* example : {"64x32", "0xff reads as 1", "1.25 becomes 0.25", "-1.25 becomes 0.75",
                                "mirror: 1.25 becomes 0.75", "border: 0", "linear, 3-D: from 8"})
        EXPECT_TRUE(says(table, example)) << example;
    std::istringstream lines(table.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
}

/// If the fetch of one row is wrong, that row alone is not ok, and says so.
TEST(Table, AWrongFetchIsFound) {
    const std::size_t count = chapter_table(fetch_from_model).rows.size();
    for (std::size_t wrong = 0; wrong < count; ++wrong) {
        std::size_t row = 0;
        const TableResult table = chapter_table([&](const TextureModel& texture, const Points& at) {
            std::vector<Texel> texels = fetch_from_model(texture, at);
            if (row++ == wrong) texels.back()[0] += 0x1p-10F;
            return texels;
        });
        EXPECT_FALSE(table.ok);
        EXPECT_TRUE(says(table, "NO"));
        EXPECT_EQ(rows_that_are_not_ok(table), 1);
        EXPECT_EQ(*table.rows[wrong].find("ok"), Figure(false));
        EXPECT_NE(*table.rows[wrong].find("got"), *table.rows[wrong].find("expected"));
    }
}

TEST(Table, AFetchThatGivesTooLittleIsWrong) {
    const TableResult table =
        chapter_table([](const TextureModel&, const Points&) { return std::vector<Texel>(); });
    EXPECT_FALSE(table.ok);
    EXPECT_EQ(rows_that_are_not_ok(table), static_cast<int>(table.rows.size()));
}

/// A texture unit that mirrors coordinates exactly as the chapter says.
TEST(Table, AUnitThatMirrorsCoordinatesIsFound) {
    const TableResult table = chapter_table([](const TextureModel& texture, const Points& at) {
        if (texture.address[0] != Address::mirror || !texture.normalized)
            return fetch_from_model(texture, at);
        Points mirrored = at;
        for (auto& point : mirrored)
            if (point[0] == 1.25F) point[0] = 0.75F;
        return fetch_from_model(texture, mirrored);
    });
    EXPECT_EQ(rows_that_are_not_ok(table), 1);
}

DeviceLimits h200() {
    return {.name = "NVIDIA H200",
            .major = 9,
            .minor = 0,
            .sizes = {.texture_1d = {131072},
                      .texture_1d_linear = {1 << 28},
                      .texture_1d_layered = {32768, 2048},
                      .texture_2d = {131072, 65536},
                      .texture_2d_linear = {131072, 65000},
                      .texture_2d_gather = {32768, 32768},
                      .texture_2d_layered = {32768, 32768, 2048},
                      .texture_3d = {16384, 16384, 16384},
                      .texture_cubemap = {32768},
                      .texture_cubemap_layered = {32768, 2046},
                      .surface_1d = {32768},
                      .surface_1d_layered = {32768, 2048},
                      .surface_2d = {131072, 65536},
                      .surface_2d_layered = {32768, 32768, 2048},
                      .surface_3d = {16384, 16384, 16384},
                      .surface_cubemap = {32768},
                      .surface_cubemap_layered = {32768, 2046}}};
}

TEST(Table, LimitsStandBesideThoseOfTheDevice) {
    const TableResult table = limits_table(h200());
    EXPECT_TRUE(table.ok) << table.text;
    EXPECT_EQ(table.rows.size(), 17U);
    EXPECT_TRUE(says(table, "NVIDIA H200 (9.0)"));
    EXPECT_FALSE(says(table, "*"));
    EXPECT_EQ(*table.rows[0].find("device"), Figure("131072"));
    EXPECT_EQ(*table.rows[0].find("1.x"), Figure("8192"));
    EXPECT_EQ(*table.rows[2].find("5.x"), Figure("16384x2048")) << "no ditto marks in data";
    EXPECT_EQ(*table.rows[10].find("1.x"), Figure("-"));
}

TEST(Table, ALimitThatDiffersIsMarked) {
    DeviceLimits device = h200();
    device.sizes.texture_1d_linear = {1 << 27};
    const TableResult table = limits_table(device);
    EXPECT_FALSE(table.ok);
    EXPECT_EQ(rows_that_are_not_ok(table), 1);
    EXPECT_TRUE(says(table, "2^27 *"));
    EXPECT_TRUE(says(table, "\n* not what"));

    device.major = 7;  // 7.2, which has that limit
    device.minor = 2;
    EXPECT_TRUE(limits_table(device).ok);
}

TEST(Table, ACapabilityThatIsNotInTheGuidesIsNotCompared) {
    DeviceLimits device = h200();
    device.major = 99;
    device.sizes.texture_3d = {7, 7, 7};
    const TableResult table = limits_table(device);
    EXPECT_TRUE(table.ok);
    EXPECT_TRUE(says(table, "7x7x7"));
    EXPECT_TRUE(says(table, "99.0 is not in the guides"));
}

TEST(Table, WithoutADeviceTheGuidesStandAlone) {
    const TableResult table = limits_table(std::nullopt);
    EXPECT_TRUE(table.ok);
    EXPECT_EQ(table.rows.front().find("device"), nullptr);
    EXPECT_TRUE(says(table, "65536x32768x2048"));
}

}  // namespace
}  // namespace cudabook::texture_unit
