// heat_notexture/scene.hpp: the book's room cell by cell, and the same room at other sizes.
#include "heat_notexture/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace cudabook::heat {
namespace {

constexpr float middle_temperature = (max_temperature + min_temperature) / 2;

/// The source at a cell, or 0 if there is none: the book's sources, with the coordinates scaled to the grid.
float source_at(int x, int y, int width, int height) {
    const auto across = [width](int book_x) { return std::int64_t{book_x} * width / 1024; };
    const auto up = [height](int book_y) { return std::int64_t{book_y} * height / 1024; };
    const auto at = [&](int book_x, int book_y) { return x == across(book_x) && y == up(book_y); };
    // Sources that the book writes later come first, because they overwrite earlier sources.
    if (x >= across(400) && x < across(500) && y >= up(800) && y < up(900)) return min_temperature;
    if (at(700, 200) || at(300, 300) || at(100, 700)) return min_temperature;
    if (at(100, 100)) return middle_temperature;
    if (x > across(300) && x < across(600) && y > up(310) && y < up(601)) return max_temperature;
    return 0;
}

float start_at(int x, int y, int width, int height) {
    if (x < 200LL * width / 1024 && y >= 800LL * height / 1024) return max_temperature;
    return source_at(x, y, width, height);
}

class SceneOfSize : public testing::TestWithParam<std::tuple<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, SceneOfSize,
                         testing::Values(std::tuple{1, 1}, std::tuple{17, 1}, std::tuple{1, 17},
                                         std::tuple{64, 48}, std::tuple{333, 257}, std::tuple{1024, 1024},
                                         std::tuple{2048, 512}),
                         [](const auto& test) {
                             return std::to_string(std::get<0>(test.param)) + "x" +
                                    std::to_string(std::get<1>(test.param));
                         });

TEST_P(SceneOfSize, IsTheBooksRoomScaled) {
    const auto [width, height] = GetParam();
    const Scene scene = book_scene(width, height);
    EXPECT_EQ(scene.width, width);
    EXPECT_EQ(scene.height, height);
    ASSERT_EQ(scene.sources.size(), scene.cells());
    ASSERT_EQ(scene.start.size(), scene.cells());
    std::size_t i = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x, ++i) {
            ASSERT_EQ(scene.sources[i], source_at(x, y, width, height)) << "at " << x << ", " << y;
            ASSERT_EQ(scene.start[i], start_at(x, y, width, height)) << "at " << x << ", " << y;
        }
    }
}

/// The book's grid.
class SceneOfTheBook : public testing::Test {
  protected:
    [[nodiscard]] float source(int x, int y) const { return scene_.sources[index(x, y)]; }
    [[nodiscard]] float start(int x, int y) const { return scene_.start[index(x, y)]; }

    const Scene scene_ = book_scene(1024, 1024);

  private:
    static std::size_t index(int x, int y) {
        return static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * 1024;
    }
};

TEST_F(SceneOfTheBook, Points) {
    EXPECT_EQ(source(100, 100), 0.50005F);
    EXPECT_EQ(source(100, 700), 0.0001F);
    EXPECT_EQ(source(300, 300), 0.0001F);
    EXPECT_EQ(source(700, 200), 0.0001F);
    for (const auto& [x, y] :
         {std::array{100, 100}, std::array{100, 700}, std::array{300, 300}, std::array{700, 200}}) {
        for (const auto& [dx, dy] :
             {std::array{-1, 0}, std::array{1, 0}, std::array{0, -1}, std::array{0, 1}})
            EXPECT_EQ(source(x + dx, y + dy), 0) << "beside " << x << ", " << y;
    }
}

TEST_F(SceneOfTheBook, HotRectangleFromItsFirstCellsToItsLast) {
    for (const int x : {301, 599})
        for (const int y : {311, 600}) EXPECT_EQ(source(x, y), 1) << x << ", " << y;
    for (const int y : {311, 600}) {
        EXPECT_EQ(source(300, y), 0);
        EXPECT_EQ(source(600, y), 0);
    }
    for (const int x : {301, 599}) {
        EXPECT_EQ(source(x, 310), 0);
        EXPECT_EQ(source(x, 601), 0);
    }
}

TEST_F(SceneOfTheBook, ColdRectangleFromItsFirstCellsToItsLast) {
    for (const int x : {400, 499})
        for (const int y : {800, 899}) EXPECT_EQ(source(x, y), 0.0001F) << x << ", " << y;
    for (const int y : {800, 899}) {
        EXPECT_EQ(source(399, y), 0);
        EXPECT_EQ(source(500, y), 0);
    }
    for (const int x : {400, 499}) {
        EXPECT_EQ(source(x, 799), 0);
        EXPECT_EQ(source(x, 900), 0);
    }
}

TEST_F(SceneOfTheBook, WarmCornerIsNoSource) {
    for (const int x : {0, 199}) {
        for (const int y : {800, 1023}) {
            EXPECT_EQ(start(x, y), 1) << x << ", " << y;
            EXPECT_EQ(source(x, y), 0) << x << ", " << y;
        }
        EXPECT_EQ(start(x, 799), 0);
    }
    EXPECT_EQ(start(200, 800), 0);
    EXPECT_EQ(start(200, 1023), 0);
}

TEST_F(SceneOfTheBook, Counts) {
    const auto count = [](const std::vector<float>& grid, float temperature) {
        return std::ranges::count(grid, temperature);
    };
    EXPECT_EQ(count(scene_.sources, 1), 299 * 290);
    EXPECT_EQ(count(scene_.sources, 0.0001F), 100 * 100 + 3);
    EXPECT_EQ(count(scene_.sources, 0.50005F), 1);
    EXPECT_EQ(count(scene_.sources, 0), 1024 * 1024 - 299 * 290 - 100 * 100 - 4);
    EXPECT_EQ(count(scene_.start, 1), 299 * 290 + 200 * 224);
    EXPECT_EQ(count(scene_.start, 0), 1024 * 1024 - 299 * 290 - 100 * 100 - 4 - 200 * 224);
}

TEST(Scene, OneCell) {
    const Scene scene = book_scene(1, 1);
    EXPECT_EQ(scene.sources, std::vector{0.0001F});
    EXPECT_EQ(scene.start, std::vector{0.0001F});
}

TEST(Scene, CoordinatesThatDoNotFitIntoAnIntOnTheWay) {
    const Scene wide = book_scene(4000000, 1);
    EXPECT_EQ(wide.sources[2734375], 0.0001F);  // 700 · 4000000 / 1024
    EXPECT_EQ(wide.sources[2734374], 0);
    const Scene tall = book_scene(1, 4000000);
    EXPECT_EQ(tall.sources[2734375], 0.0001F);
    EXPECT_EQ(tall.sources[2734374], 0);
}

}  // namespace
}  // namespace cudabook::heat
