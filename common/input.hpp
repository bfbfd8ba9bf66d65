// What a user does in front of a window, as plain data: it comes from the window or from a script.
#pragma once

#include <variant>

namespace cudabook {

/// A key as it is printed on the keyboard: 'A' to 'Z' (never small), ' ', '.', '+', '-', or `escape`.
struct Key {
    static constexpr char escape = '\x1b';
    char character = 0;
    bool shift = false;
    bool operator==(const Key&) const = default;
};

/// A cell of the grid; row 0 is at the bottom.
struct Cell {
    int x = 0;
    int y = 0;
    bool operator==(const Cell&) const = default;
};

enum class Button { left, right };

/// A piece of the mouse's way with a button held down. Where the button goes down, `from` and `to` are the
/// same cell.
struct Drag {
    Button button = Button::left;
    bool shift = false;
    Cell from;
    Cell to;
    bool operator==(const Drag&) const = default;
};

using Input = std::variant<Key, Drag>;

}  // namespace cudabook
