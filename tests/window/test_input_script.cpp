// common/window/input_script.hpp: every kind of valid line, and the errors for invalid ones.
#include "common/window/input_script.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::error_text;

constexpr int width = 64;
constexpr int height = 48;

class InputScript : public testing::Test {
  protected:
    [[nodiscard]] std::vector<TimedInput> read(const std::string& text) const {
        return read_script(folder_.file("script.txt", text).string(), width, height);
    }

    /// The only input of a script.
    [[nodiscard]] Input input_of(const std::string& text) const {
        const auto inputs = read(text);
        EXPECT_EQ(inputs.size(), 1U) << text;
        return inputs.empty() ? Input{} : inputs[0].input;
    }

    /// The error for a script, after the file's name.
    [[nodiscard]] std::string error_of(const std::string& text) const {
        const std::string error = error_text<UsageError>([&] { static_cast<void>(read(text)); });
        const std::string name = (folder_ / "script.txt").string();
        if (error == "no error") return error;
        EXPECT_EQ(error.find(name), 0U) << error;
        EXPECT_TRUE(test::is_one_line(error)) << error;
        return error.substr(name.size());
    }

    const test::TemporaryFolder folder_;
};

TEST_F(InputScript, InputsAreInTheOrderOfTheFile) {
    const auto inputs = read(
        "# a comment\n"
        "\n"
        "1 key a   # another\n"
        "  \t\n"
        "7 drag left 1 2 3 4#and one more\r\n"
        "7 key space\n"
        "2147483647 key Esc");
    ASSERT_EQ(inputs.size(), 4U);
    EXPECT_EQ(inputs[0].tick, 1);
    EXPECT_EQ(inputs[0].input, Input(Key{'A', false}));
    EXPECT_EQ(inputs[1].tick, 7);
    EXPECT_EQ(inputs[1].input, Input(Drag{Button::left, false, {1, 2}, {3, 4}}));
    EXPECT_EQ(inputs[2].tick, 7);
    EXPECT_EQ(inputs[2].input, Input(Key{' ', false}));
    EXPECT_EQ(inputs[3].tick, 2147483647);
    EXPECT_EQ(inputs[3].input, Input(Key{Key::escape, false}));
}

TEST_F(InputScript, WithoutInputs) {
    EXPECT_TRUE(read("").empty());
    EXPECT_TRUE(read("\n# nothing\n\n").empty());
}

TEST_F(InputScript, EveryKey) {
    for (char small = 'a', capital = 'A'; small <= 'z'; ++small, ++capital) {
        EXPECT_EQ(input_of(std::string("1 key ") + small), Input(Key{capital, false}));
        EXPECT_EQ(input_of(std::string("1 key ") + capital), Input(Key{capital, false}));
        EXPECT_EQ(input_of(std::string("1 key Shift+") + small), Input(Key{capital, true}));
    }
    for (const char character : {'.', '+', '-'}) {
        EXPECT_EQ(input_of(std::string("1 key ") + character), Input(Key{character, false}));
        EXPECT_EQ(input_of(std::string("1 key Shift+") + character), Input(Key{character, true}));
    }
    EXPECT_EQ(input_of("1 key Shift+space"), Input(Key{' ', true}));
    EXPECT_EQ(input_of("1 key Shift+Esc"), Input(Key{Key::escape, true}));
    EXPECT_EQ(input_of("1 KEY shift+ESC"), Input(Key{Key::escape, true}));
}

TEST_F(InputScript, EveryKindOfDrag) {
    EXPECT_EQ(input_of("1 drag left 0 0 63 47"), Input(Drag{Button::left, false, {0, 0}, {63, 47}}));
    EXPECT_EQ(input_of("1 drag left Shift 0 0 63 47"), Input(Drag{Button::left, true, {0, 0}, {63, 47}}));
    EXPECT_EQ(input_of("1 drag right 63 47 0 0"), Input(Drag{Button::right, false, {63, 47}, {0, 0}}));
    EXPECT_EQ(input_of("1 Drag Right shift 5 6 5 6"), Input(Drag{Button::right, true, {5, 6}, {5, 6}}));
}

TEST_F(InputScript, TheWheelAndTheMouse) {
    EXPECT_EQ(input_of("1 wheel -2 63 47"), Input(Wheel{-2, {63, 47}}));
    EXPECT_EQ(input_of("1 Wheel 1 0 0"), Input(Wheel{1, {0, 0}}));
    EXPECT_EQ(input_of("1 mouse 3 4"), Input(Pointer{{3, 4}}));
    EXPECT_EQ(error_of("1 wheel up 3 4"), ":1: 'up' is not a number of steps; wheel STEPS X Y");
    EXPECT_EQ(error_of("1 wheel 1 x 4"), ":1: 'x 4' is not a cell; wheel is followed by STEPS X Y");
    EXPECT_EQ(error_of("1 mouse x 4"), ":1: 'x 4' is not a cell; mouse is followed by two numbers, X Y");
    EXPECT_EQ(error_of("1 mouse 64 4"),
              ":1: cell 64 4 is outside the grid; x goes from 0 to 63, y from 0 to 47");
}

TEST_F(InputScript, NamesTheLine) {
    EXPECT_EQ(error_of("1 key a\n\n# x\n1 key b c\n"),
              ":4: 'c' is unexpected; write one input on each line, and # before a comment");
}

TEST_F(InputScript, LinesThatEndTooEarly) {
    for (const std::string line :
         {"1", "1 key", "1 drag", "1 drag left", "1 drag left Shift", "1 drag left 1", "1 drag left 1 2 3",
          "1 wheel", "1 wheel 1 2", "1 mouse 1"})
        EXPECT_EQ(error_of(line),
                  ":1: the line ends too early; key NAME, drag left|right [Shift] X0 Y0 X1 Y1, wheel STEPS X "
                  "Y or mouse X Y follows the tick");
}

TEST_F(InputScript, WrongTicks) {
    for (const std::string word : {"0", "-1", "+1", "1.5", "1x", "x", "key", "2147483648"})
        EXPECT_EQ(error_of(word + " key a"),
                  ":1: '" + word + "' is not a tick; a line begins with a number from 1 up");
    EXPECT_EQ(error_of("5 key a\n5 key a\n4 key a"),
              ":3: tick 4 comes after tick 5; the ticks must not fall");
}

TEST_F(InputScript, WrongInputs) {
    EXPECT_EQ(error_of("1 click 3 4"),
              ":1: 'click' is not an input; key, drag, wheel or mouse follows the tick");
}

TEST_F(InputScript, WrongKeys) {
    for (const std::string word :
         {"ab", "1", "*", "Shift", "Shift+", "Shift+ab", "Ctrl+a", "F1", "escape", "@", "[", "`", "{"})
        EXPECT_EQ(
            error_of("1 key " + word),
            ":1: '" + word + "' is not a key; a letter, space, ., +, - or Esc, or Shift+ and one of them");
    EXPECT_EQ(error_of("1 key a b"),
              ":1: 'b' is unexpected; write one input on each line, and # before a comment");
}

TEST_F(InputScript, WrongDrags) {
    EXPECT_EQ(error_of("1 drag middle 1 2 3 4"), ":1: 'middle' is not a button; left or right follows drag");
    EXPECT_EQ(error_of("1 drag left 1 2.5 3 4"),
              ":1: '1 2.5' is not a cell; a drag ends in four numbers, X0 Y0 X1 Y1");
    EXPECT_EQ(error_of("1 drag left Shift Shift 1 2 3 4"),
              ":1: 'Shift 1' is not a cell; a drag ends in four numbers, X0 Y0 X1 Y1");
    EXPECT_EQ(error_of("1 drag left 1 2 3 4 5"),
              ":1: '5' is unexpected; write one input on each line, and # before a comment");
}

TEST_F(InputScript, CellsOutsideTheGrid) {
    for (const std::string cell : {"64 0", "0 48", "-1 0", "0 -1"})
        for (const std::string& drag : {cell + " 0 0", "0 0 " + cell})
            EXPECT_EQ(error_of("1 drag left " + drag),
                      ":1: cell " + cell + " is outside the grid; x goes from 0 to 63, y from 0 to 47");
}

TEST_F(InputScript, FilesThatCannotBeRead) {
    const auto error_of_file = [](const std::filesystem::path& path) {
        return error_text<MachineError>(
            [&] { static_cast<void>(read_script(path.string(), width, height)); });
    };
    const auto missing = folder_ / "missing.txt";
    EXPECT_EQ(error_of_file(missing), "cannot read '" + missing.string() + "': No such file or directory");
    EXPECT_EQ(error_of_file(folder_.path()), "cannot read '" + folder_.path().string() + "': Is a directory");
}

}  // namespace
}  // namespace cudabook
