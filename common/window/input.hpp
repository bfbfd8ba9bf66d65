// What a user does in front of a window, as plain data: it comes from the window or from a script.
#pragma once

#include <variant>

namespace cudabook {

/// A key as it is printed on the keyboard: 'A' to 'Z' (never small), ' ', '.', '+', '-', or `escape`.
struct Key {
    static constexpr char escape = '\x1b';
    char character = 0;
    bool shift = false;

    friend bool operator==(const Key& one, const Key& other) {
        return one.character == other.character && one.shift == other.shift;
    }
};

/// A cell of the grid; row 0 is at the bottom.
struct Cell {
    int x = 0;
    int y = 0;

    friend bool operator==(const Cell& one, const Cell& other) {
        return one.x == other.x && one.y == other.y;
    }
};

enum class Button { left, right };

/// A piece of the mouse's path with a button held down. Where the button goes down, `from` and `to` are the
/// same cell.
struct Drag {
    Button button = Button::left;
    bool shift = false;
    Cell from;
    Cell to;

    friend bool operator==(const Drag& one, const Drag& other) {
        return one.button == other.button && one.shift == other.shift && one.from == other.from &&
               one.to == other.to;
    }
};

/// The left mouse button went down at `from` and up at `to`.
struct Click {
    Cell from;
    Cell to;

    friend bool operator==(const Click& one, const Click& other) {
        return one.from == other.from && one.to == other.to;
    }
};

/// What the user did in a window, in the order in which it was done.
using WindowEvent = std::variant<Key, Drag, Click>;

/// What a script can say of it: a click is the drag whose button it was.
using Input = std::variant<Key, Drag>;

/// An input and the tick, from 1, in which it comes.
struct TimedInput {
    int tick = 0;
    Input input;
};

}  // namespace cudabook
