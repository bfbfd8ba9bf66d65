// common/window/panel.hpp: the content of the panel, and where it is drawn.
#include "common/window/panel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/window/window.hpp"

#if CUDABOOK_HAS_WINDOW
#include "tests/support/temporary_folder.hpp"
#include "tests/support/with_display.hpp"
#endif

namespace cudabook {
namespace {

TEST(PanelOf, ComparesAll) {
    const Panel panel{"title", {"line"}, 0.5, "half", "note", {{"K", "key"}}};
    EXPECT_EQ(panel, panel);
    for (Panel other : {Panel{}, Panel{"title", {"line"}, 0.6, "half", "note", {{"K", "key"}}},
                        Panel{"title", {"line"}, 0.5, "half", "note", {{"K", "keys"}}},
                        Panel{"title", {"line"}, 0.5, "half", "note", {{"K", "key"}}, {{"cell"}}},
                        Panel{"title", {"line"}, 0.5, "half", "note", {{"K", "key"}}, {}, {{1, 2, "on it"}}}})
        EXPECT_NE(panel, other);
}

#if CUDABOOK_HAS_WINDOW

constexpr bool has_panel = CUDABOOK_HAS_PANEL != 0;

class WindowPanel : public test::WithDisplay {
  protected:
    /// The panel on a white picture.
    static test::Screenshot drawn(const Panel& panel, bool with_panel, bool with_keys,
                                  Size size = {640, 480}) {
        const auto window = open_window(size);
        window->upload(
            std::vector<unsigned char>(4 * static_cast<std::size_t>(size.width * size.height), 255).data());
        window->show();
        test::Screenshot shot;
        EXPECT_TRUE(soon([&] {  // the server may draw later
            window->poll();
            window->draw(panel, with_panel, with_keys);
            const test::Screenshot last = std::exchange(shot, screenshot());
            return shot == last && shot.width == size.width && shot.pixels.back() == 0xffffff;
        }));
        return shot;
    }

    /// The right and bottom ends of what was drawn.
    static Size extent(const test::Screenshot& shot) {
        Size extent{0, 0};
        for (int y = 0; y < shot.height; ++y)
            for (int x = 0; x < shot.width; ++x)
                if (shot.pixels[static_cast<std::size_t>(y * shot.width + x)] != 0xffffff)
                    extent = {std::max(extent.width, x + 1), std::max(extent.height, y + 1)};
        return extent;
    }

    static std::ptrdiff_t count(const test::Screenshot& shot, std::uint32_t colour) {
        return std::ranges::count(shot.pixels, colour);
    }

    Panel panel_{"heat blocked",
                 {"cpu, 90 steps a frame", "1.23 ms a frame"},
                 0.5,
                 "50 % of copy",
                 "",
                 {{"K", "next"}, {"H", "help"}}};
};

TEST_F(WindowPanel, AtTheTopLeft) {
    const test::Screenshot shot = drawn(panel_, true, false);
    const Size size = extent(shot);
    if (!has_panel) {
        EXPECT_EQ(size.width, 0);
        return;
    }
    EXPECT_GT(size.width, 100);
    EXPECT_LT(size.width, 320);
    EXPECT_GT(size.height, 50);
    EXPECT_LT(size.height, 160);
    EXPECT_EQ(shot.pixels.front(), 0xffffffU) << "the panel does not touch the edge";
    EXPECT_EQ(drawn(panel_, true, false), shot) << "the size is right from the first drawing on";
}

TEST_F(WindowPanel, NothingIfNotRequested) { EXPECT_EQ(extent(drawn(panel_, false, false)).width, 0); }

TEST_F(WindowPanel, KeysBelowThePanelOrAlone) {
    if (!has_panel) GTEST_SKIP() << "built without Dear ImGui";
    const int without = extent(drawn(panel_, true, false)).height;
    const int with = extent(drawn(panel_, true, true)).height;
    const int alone = extent(drawn(panel_, false, true)).height;
    EXPECT_GT(with, without + 20);
    EXPECT_GT(alone, 20);
    EXPECT_LT(alone, with - 20);
    panel_.keys.insert(panel_.keys.end(), 5, {"X", "more"});
    EXPECT_GT(extent(drawn(panel_, true, true)).height, with + 40);
}

TEST_F(WindowPanel, KeysBesideThePanelWhereTheyDoNotFitBelow) {
    if (!has_panel) GTEST_SKIP() << "built without Dear ImGui";
    panel_.lines.resize(16, "line");
    panel_.keys.resize(14, {"X", "more"});
    const Size without = extent(drawn(panel_, true, false));
    const Size with = extent(drawn(panel_, true, true));
    EXPECT_GT(with.width, without.width + 20);
    EXPECT_LT(with.height, 480);
}

TEST_F(WindowPanel, TableInColumns) {
    if (!has_panel) GTEST_SKIP() << "built without Dear ImGui";
    const Size without = extent(drawn(panel_, true, false));
    panel_.table = {{"", "a heading", "another heading"}, {"row", "1", "12345"}, {"second row", "100", "1"}};
    const Size with = extent(drawn(panel_, true, false));
    EXPECT_GT(with.height, without.height + 30);
    panel_.table[0][1] = "a heading that is longer";
    EXPECT_GT(extent(drawn(panel_, true, false)).width, with.width + 20);
}

TEST_F(WindowPanel, LabelsWhereTheyBelong) {
    if (!has_panel) GTEST_SKIP() << "built without Dear ImGui";
    panel_.labels = {{500, 100, "label"}};
    const test::Screenshot shot = drawn(panel_, true, false);
    const auto at = [&](int x, int y) { return shot.pixels[static_cast<std::size_t>(y * shot.width + x)]; };
    EXPECT_NE(at(485, 380), 0xffffffU) << "row 0 of the grid is at the bottom";
    EXPECT_EQ(at(485, 340), 0xffffffU);
    EXPECT_EQ(at(440, 380), 0xffffffU);
    EXPECT_EQ(extent(drawn(panel_, false, false)).width, 0);
}

TEST_F(WindowPanel, BarShowsTheShare) {
    if (!has_panel) GTEST_SKIP() << "built without Dear ImGui";
    constexpr std::uint32_t bar = 0x3385cc;
    panel_.share_label = "";
    std::ptrdiff_t whole = 0;
    for (const double share : {1.0, 1.7, 0.5, 0.25, 0.0, -1.0}) {
        panel_.share = share;
        const auto pixels = count(drawn(panel_, true, false), bar);
        if (share == 1) whole = pixels;
        EXPECT_NEAR(static_cast<double>(pixels), std::clamp(share, 0.0, 1.0) * static_cast<double>(whole),
                    100)
            << share;
    }
    EXPECT_GT(whole, 2000);
    panel_.share.reset();
    EXPECT_EQ(count(drawn(panel_, true, false), bar), 0);
}

TEST_F(WindowPanel, LargerOnALargerWindow) {
    if (!has_panel) GTEST_SKIP() << "built without Dear ImGui";
    const Size small = extent(drawn(panel_, true, false));
    const Size large = extent(drawn(panel_, true, false, {1000, 1000}));
    const double larger = 25.0 / 13;  // the heights of the text in pixels
    EXPECT_NEAR(large.width, larger * small.width, 0.06 * large.width);
    EXPECT_NEAR(large.height, larger * small.height, 0.06 * large.height);
}

TEST_F(WindowPanel, WritesNoFile) {
    const test::TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    drawn(panel_, true, true);
    std::filesystem::current_path(before);
    EXPECT_TRUE(test::names_in(folder.path()).empty());
}

#endif

}  // namespace
}  // namespace cudabook
