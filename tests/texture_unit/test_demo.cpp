// texture_unit/demo/demo.hpp without a window: each key, the mouse and the wheel by the script, and the
// files.
#include "texture_unit/demo/demo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/png_picture.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/texture_unit/pattern.hpp"
#include "texture_unit/demo/keys.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook::texture_unit {
namespace {

constexpr Size picture{240, 150};

/// The last frame after these inputs: one input a tick, or all at the first tick.
LastFrame after(const std::vector<Input>& inputs, std::optional<int> frames = std::nullopt,
                bool at_once = false) {
    const auto levels = mip_levels(test::random_image(24, 16));
    WindowSetup setup{.device = "the CPU", .size = picture, .display = Display::headless, .frames = frames};
    for (const Input& input : inputs)
        setup.script.push_back({at_once ? 1 : static_cast<int>(setup.script.size()) + 1, input});
    const auto renderer = make_cpu_renderer(levels, picture);
    return run_window(setup, levels, *renderer);
}

/// The inputs for a look in which every key has a visible effect: mirrored, turned, between two levels.
std::vector<Input> shown_well() {
    return {Key{'X', true}, Key{'Y', true}, Key{'T'}, Key{'M'}, Wheel{2, {150, 80}}};
}

LastFrame then(const std::vector<Input>& more) {
    std::vector<Input> inputs = shown_well();
    inputs.insert(inputs.end(), more.begin(), more.end());
    return after(inputs, std::nullopt, true);
}

TEST(DemoOfTexture, EachKeyTakesEffect) {
    const LastFrame before = then({});
    for (const char key : {'X', 'Y', 'T', 'M', 'L', 'N', 'B', 'G', 'R', '+', '-'})
        EXPECT_TRUE(then({Key{key}}).rgba != before.rgba) << key;
    for (const char key : {'X', 'Y', 'T', 'M'}) {
        EXPECT_TRUE(then({Key{key, true}}).rgba != before.rgba) << "Shift-" << key;
        EXPECT_TRUE(then({Key{key}, Key{key, true}}).rgba == before.rgba) << key << " and back";
    }
    EXPECT_EQ(then({Key{'+'}, Key{'-'}}).look.zoom, before.look.zoom);
    EXPECT_TRUE(then({Key{'R'}}).rgba == after({Pointer{{150, 80}}}).rgba) << "back to the start";
}

TEST(DemoOfTexture, TheMouseTakesEffect) {
    const LastFrame before = then({});
    EXPECT_TRUE(then({Wheel{-1, {10, 10}}}).rgba != before.rgba);
    EXPECT_TRUE(then({Drag{Button::left, false, {30, 30}, {60, 50}}}).rgba != before.rgba);
    const LastFrame under_mouse = then({Pointer{{30, 30}}});
    EXPECT_TRUE(under_mouse.rgba != before.rgba) << "the texels that are read there";
    EXPECT_EQ(under_mouse.look.centre.x, before.look.centre.x);
    const Cell at{200, 100};
    const Place place = texel_at(before.look, picture, middle_of(at));
    const Place then_there = texel_at(then({Pointer{at}, Key{'+'}}).look, picture, middle_of(at));
    EXPECT_NEAR(then_there.x, place.x, 1e-9) << "+ is at the mouse";
    EXPECT_NEAR(then_there.y, place.y, 1e-9);
}

/// A letter does something if and only if the help lists it.
TEST(DemoOfTexture, TheHelpListsEveryKey) {
    std::set<char> listed;
    for (const auto& [names, what] : window_keys()) {
        EXPECT_FALSE(what.empty());
        std::string rest = names + ",";
        for (std::size_t comma = 0; (comma = rest.find(',')) != std::string::npos;) {
            std::string name = rest.substr(0, comma);
            rest.erase(0, rest.find_first_not_of(", ", comma));
            if (name.starts_with("Shift-")) name.erase(0, 6);
            if (name.size() == 1) listed.insert(name[0]);
        }
    }
    const std::set<char> of_the_window{'F', 'V', 'I', 'H', 'Q'};
    const std::set<char> of_files{'S'};
    const LastFrame before = then({});
    for (char key = 'A'; key <= 'Z'; ++key) {
        const bool elsewhere = of_the_window.contains(key) || of_files.contains(key);
        EXPECT_EQ(listed.contains(key), elsewhere || then({Key{key}}).rgba != before.rgba) << key;
    }
    EXPECT_TRUE(listed.contains('+') && listed.contains('-'));
    for (const char pause : {' ', '.'}) EXPECT_TRUE(then({Key{pause}}).rgba == before.rgba);
    for (const auto& [names, what] : window_keys())
        EXPECT_NE(window_keys_for_help().find(what), std::string::npos) << names;
}

TEST(DemoOfTexture, FramesAndTheEnd) {
    EXPECT_EQ(after({}).frames, 1) << "headless, without a script";
    EXPECT_EQ(after({Key{'T'}, Key{'T'}}).frames, 2) << "until the script ends";
    EXPECT_EQ(after({}, 5).frames, 5);
    EXPECT_EQ(after({Key{'T'}, Key{'T'}}, 1).look.angle, turn_degrees);
    EXPECT_EQ(after({}, 0).frames, 0);
    const LastFrame ended = after({Key{'T'}, Key{'Q'}, Key{'T'}});
    EXPECT_EQ(ended.frames, 1);
    EXPECT_EQ(ended.look.angle, turn_degrees);
}

TEST(DemoOfTexture, SSavesThePicture) {
    const test::TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const LastFrame last = after({Key{'T'}, Pointer{{100, 100}}, Key{'S'}});
    std::filesystem::current_path(before);
    const test::Picture saved(folder / "texture_unit-000002.png");
    ASSERT_EQ(saved.width, picture.width);
    ASSERT_EQ(saved.height, picture.height);
    for (int y = 0; y < picture.height; ++y)
        ASSERT_TRUE(std::equal(
            last.rgba.begin() + 4 * y * picture.width, last.rgba.begin() + 4 * (y + 1) * picture.width,
            reinterpret_cast<const unsigned char*>(
                &saved.pixels[static_cast<std::size_t>((picture.height - 1 - y) * picture.width)])))
            << "row " << y;
}

TEST(DemoOfTexture, SWhereNothingCanBeWritten) {
    const test::TemporaryFolder folder;
    const auto gone = folder / "gone";
    const auto before = std::filesystem::current_path();
    std::filesystem::create_directory(gone);
    std::filesystem::current_path(gone);
    std::filesystem::remove(gone);
    const LastFrame last = after({Key{'S'}, Key{'T'}});
    std::filesystem::current_path(before);
    EXPECT_EQ(last.look.angle, turn_degrees) << "it goes on";
}

}  // namespace
}  // namespace cudabook::texture_unit
