// Scripted input: a text file with one input per line.
//
//     # tick  input
//     1       drag left 10 20 30 40         cells of the grid; row 0 is at the bottom
//     5       drag right Shift 10 20 10 20
//     9       key space                     a letter, space, ., +, - or Esc
//     9       key Shift+s
//     12      wheel -2 10 20                steps of the wheel, and the cell under the mouse
//     12      mouse 10 20                   where the mouse is moved without a button
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/window/input.hpp"

namespace cudabook {

namespace input_script_detail {

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Whether two words are equal, ignoring case.
inline bool same(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, {}, upper, upper);
}

/// A parser for one line.
class Line {
  public:
    Line(std::string place, const std::string& text) : place_(std::move(place)) {
        std::istringstream words(text.substr(0, text.find('#')));
        for (std::string word; words >> word;) words_.push_back(word);
    }

    [[nodiscard]] bool blank() const { return words_.empty(); }

    /// Parses the line, which must not be blank. Errors: UsageError.
    [[nodiscard]] TimedInput input(int last_tick, int width, int height) {
        const std::string tick_word = take();
        const auto tick = number(tick_word);
        if (!tick || *tick < 1)
            fail(fmt::format("'{}' is not a tick; a line begins with a number from 1 up", tick_word));
        if (*tick < last_tick)
            fail(fmt::format("tick {} comes after tick {}; the ticks must not fall", *tick, last_tick));
        const std::string what = take();
        TimedInput input{*tick, {}};
        if (same(what, "key"))
            input.input = key();
        else if (same(what, "drag"))
            input.input = drag(width, height);
        else if (same(what, "wheel"))
            input.input = wheel(width, height);
        else if (same(what, "mouse"))
            input.input = Pointer{cell(width, height, "mouse is followed by two numbers, X Y")};
        else
            fail(fmt::format("'{}' is not an input; key, drag, wheel or mouse follows the tick", what));
        if (next_ != words_.size())
            fail(fmt::format("'{}' is unexpected; write one input on each line, and # before a comment",
                             words_[next_]));
        return input;
    }

  private:
    [[noreturn]] void fail(std::string_view why) const {
        throw UsageError(fmt::format("{}: {}", place_, why));
    }

    /// Takes the next word of the line.
    std::string take() {
        if (next_ == words_.size())
            fail(
                "the line ends too early; key NAME, drag left|right [Shift] X0 Y0 X1 Y1, wheel STEPS X Y or "
                "mouse X Y follows the tick");
        return words_[next_++];
    }

    static std::optional<int> number(std::string_view word) {
        int value = 0;
        const char* end = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), end, value);
        if (error != std::errc() || rest != end) return std::nullopt;
        return value;
    }

    Key key() {
        constexpr std::string_view prefix = "Shift+";
        const std::string word = take();
        const bool shift = same(std::string_view(word).substr(0, prefix.size()), prefix);
        const std::string_view name = std::string_view(word).substr(shift ? prefix.size() : 0);
        if (same(name, "space")) return {' ', shift};
        if (same(name, "Esc")) return {Key::escape, shift};
        const char character = name.size() == 1 ? upper(name[0]) : '\0';
        if ((character < 'A' || character > 'Z') && character != '.' && character != '+' && character != '-')
            fail(fmt::format("'{}' is not a key; a letter, space, ., +, - or Esc, or Shift+ and one of them",
                             word));
        return {character, shift};
    }

    Drag drag(int width, int height) {
        Drag drag;
        const std::string button = take();
        if (!same(button, "left") && !same(button, "right"))
            fail(fmt::format("'{}' is not a button; left or right follows drag", button));
        drag.button = same(button, "left") ? Button::left : Button::right;
        drag.shift = next_ < words_.size() && same(words_[next_], "Shift");
        if (drag.shift) ++next_;
        constexpr std::string_view needs = "a drag ends in four numbers, X0 Y0 X1 Y1";
        drag.from = cell(width, height, needs);
        drag.to = cell(width, height, needs);
        return drag;
    }

    Wheel wheel(int width, int height) {
        const std::string steps_word = take();
        const auto steps = number(steps_word);
        if (!steps) fail(fmt::format("'{}' is not a number of steps; wheel STEPS X Y", steps_word));
        return {static_cast<double>(*steps), cell(width, height, "wheel is followed by STEPS X Y")};
    }

    /// Parses a cell. `needs` is the form that the line should have; the error message for a missing cell
    /// shows it.
    Cell cell(int width, int height, std::string_view needs) {
        const std::string x_word = take();
        const std::string y_word = take();
        const auto x = number(x_word);
        const auto y = number(y_word);
        if (!x || !y) fail(fmt::format("'{} {}' is not a cell; {}", x_word, y_word, needs));
        if (*x < 0 || *x >= width || *y < 0 || *y >= height)
            fail(fmt::format("cell {} {} is outside the grid; x goes from 0 to {}, y from 0 to {}", *x, *y,
                             width - 1, height - 1));
        return {*x, *y};
    }

    std::string place_;  ///< where the line is, as FILE:LINE
    std::vector<std::string> words_;
    std::size_t next_ = 0;
};

}  // namespace input_script_detail

/// Returns the inputs of a script, ordered by tick, for a grid of width × height cells. Errors: MachineError
/// for a file that cannot be read, UsageError for an invalid line.
inline std::vector<TimedInput> read_script(const std::string& path, int width, int height) {
    std::vector<TimedInput> inputs;
    std::ifstream file(path);
    int number = 0;
    for (std::string text; std::getline(file, text);) {
        input_script_detail::Line line(fmt::format("{}:{}", path, ++number), text);
        if (!line.blank())
            inputs.push_back(line.input(inputs.empty() ? 1 : inputs.back().tick, width, height));
    }
    if (!file.eof()) throw MachineError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    return inputs;
}

}  // namespace cudabook
