// The settings and callbacks of a GLUT program.
#pragma once

#include "../window/opengl_window.hpp"
#include "gl_calls.hpp"

namespace cudabook::book {

struct GlutProgram : OpenGlWindowListener {
    unsigned mode = 0;
    Size size{300, 300};
    int left = -1;
    int top = -1;
    void (*display)() = nullptr;
    void (*reshape)(int width, int height) = nullptr;
    void (*keyboard)(unsigned char key, int x, int y) = nullptr;
    void (*mouse)(int button, int state, int x, int y) = nullptr;
    void (*motion)(int x, int y) = nullptr;
    void (*passive_motion)(int x, int y) = nullptr;
    void (*idle)() = nullptr;
    bool redisplay = true;

    [[nodiscard]] OpenGlWindowSetup window_setup(const char* title, bool visible) const {
        OpenGlWindowSetup setup;
        setup.title = title;
        setup.size = size;
        setup.left = left;
        setup.top = top;
        setup.double_buffered = (mode & GLUT_DOUBLE) != 0 || !visible;
        setup.visible = visible;
        return setup;
    }

    void key(unsigned char character) final {
        if (keyboard) keyboard(character, mouse_x, mouse_y);
    }

    void button(int number, bool down) final {
        constexpr int numbers[] = {GLUT_LEFT_BUTTON, GLUT_MIDDLE_BUTTON, GLUT_RIGHT_BUTTON};
        buttons_held += down ? 1 : -1;
        if (mouse) mouse(numbers[number], down ? GLUT_DOWN : GLUT_UP, mouse_x, mouse_y);
    }

    void mouse_moved_to(int x, int y) final {
        mouse_x = x;
        mouse_y = y;
        const auto callback = buttons_held > 0 ? motion : passive_motion;
        if (callback) callback(x, y);
    }

    void resized(int width, int height) final {
        redisplay = true;
        if (reshape)
            reshape(width, height);
        else
            in_libgl<void(int, int, int, int)>("glViewport")(0, 0, width, height);
    }

    void redraw() final { redisplay = true; }

    int buttons_held = 0;
    int mouse_x = 0;  ///< the mouse's position at its last event; rows count from the top
    int mouse_y = 0;
};

}  // namespace cudabook::book
