// Keyboard and mouse input, from the window or from a script.
#pragma once

#include <variant>

namespace cudabook {

/// A key as printed on the keyboard: 'A' to 'Z' (always upper case), ' ', '.', '+', '-', or `escape`.
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

/// A segment of the mouse's path while a button is held down. When the button goes down, `from` and `to` are
/// the same cell.
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

/// The wheel was turned while the mouse was over the cell `at`. `steps` is positive if the wheel was turned
/// away from the user. A touchpad gives fractions of steps.
struct Wheel {
    double steps = 0;
    Cell at;

    friend bool operator==(const Wheel& one, const Wheel& other) {
        return one.steps == other.steps && one.at == other.at;
    }
};

/// The mouse moved to another cell while no button was held down.
struct Pointer {
    Cell at;

    friend bool operator==(const Pointer& one, const Pointer& other) { return one.at == other.at; }
};

/// One input event of a window.
using WindowEvent = std::variant<Key, Drag, Click, Wheel, Pointer>;

/// One input of a script. A drag with the left button is also a click.
using Input = std::variant<Key, Drag, Wheel, Pointer>;

/// An input and its tick: the iteration of the animation's loop, counted from 1.
struct TimedInput {
    int tick = 0;
    Input input;
};

}  // namespace cudabook
