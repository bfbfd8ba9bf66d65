// What stands behind gl_helper.h.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "../errors.hpp"
#include "../window.hpp"
#include "display.hpp"

namespace cudabook::book {

/// What a GLUT program asks for.
struct GlutSettings {
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
};

#if CUDABOOK_HAS_WINDOW

/// The one window of a GLUT program, and what the program does in it. Errors end the program.
class Glut : public GlutSettings {
  public:
    void init() {
        if (library_) return;
        or_exit([&] {
            frames_ = frames_asked_for();
            file_.emplace();
            library_ = new window_detail::GlfwLibrary;  // until the process ends
        });
        std::atexit([] { self().write(); });
    }

    void create_window(const char* title) {
        init();
        or_exit([&] {
            glfw.DefaultWindowHints();
            glfw.WindowHint(GLFW_VISIBLE, !frames_);
            glfw.WindowHint(GLFW_DOUBLEBUFFER, double_buffered() || frames_);
            window_ = glfw.CreateWindow(size.width, size.height, title, nullptr, nullptr);
            if (!window_) throw MachineError("the display has no OpenGL: " + window_detail::glfw_error());
        });
        if (left >= 0 && top >= 0) glfw.SetWindowPos(window_, left, top);
        glfw.MakeContextCurrent(window_);
        glfw.SwapInterval(1);
        glfw.SetCharCallback(window_, [](GLFWwindow*, unsigned character) {
            if (character < 256) self().press(static_cast<unsigned char>(character));
        });
        glfw.SetKeyCallback(window_, [](GLFWwindow*, int key, int, int action, int) {
            if (action != GLFW_RELEASE) self().press(character_of(key));
        });
        glfw.SetMouseButtonCallback(window_, on_button);
        glfw.SetCursorPosCallback(window_, [](GLFWwindow*, double x, double y) { self().move(x, y); });
        glfw.SetFramebufferSizeCallback(
            window_, [](GLFWwindow*, int width, int height) { self().fit(width, height); });
        glfw.SetWindowRefreshCallback(window_, [](GLFWwindow*) { self().redisplay = true; });
    }

    void swap_buffers() {
        take_picture();
        if (!frames_) glfw.SwapBuffers(window_);
    }

    [[noreturn]] void main_loop() {
        if (!window_) create_window("GLUT");
        int width = 0, height = 0;
        glfw.GetFramebufferSize(window_, &width, &height);
        fit(width, height);
        if (frames_) {
            for (int i = 0; i < *frames_; ++i) {
                if (i > 0 && idle) idle();
                draw();
            }
            std::exit(EXIT_SUCCESS);
        }
        while (true) {
            if (redisplay) draw();
            if (idle || redisplay)
                glfw.PollEvents();
            else
                glfw.WaitEvents();
            if (glfw.WindowShouldClose(window_)) std::exit(EXIT_SUCCESS);
            if (idle) idle();
        }
    }

    static Glut& self();

  private:
    [[nodiscard]] bool double_buffered() const { return (mode & GLUT_DOUBLE) != 0; }

    void draw() {
        redisplay = false;
        if (display) display();
        if (!double_buffered()) take_picture();
    }

    void fit(int width, int height) {
        redisplay = true;
        if (reshape)
            reshape(width, height);
        else
            gl_function<decltype(::glViewport)>("glViewport")(0, 0, width, height);
    }

    /// The keys that are characters of ASCII, but of no alphabet.
    static unsigned char character_of(int key) {
        switch (key) {
            case GLFW_KEY_ESCAPE:
                return 27;
            case GLFW_KEY_ENTER:
            case GLFW_KEY_KP_ENTER:
                return 13;
            case GLFW_KEY_TAB:
                return 9;
            case GLFW_KEY_BACKSPACE:
                return 8;
            case GLFW_KEY_DELETE:
                return 127;
            default:
                return 0;
        }
    }

    void press(unsigned char key) {
        if (keyboard && key != 0) keyboard(key, mouse_x_, mouse_y_);
    }

    static void on_button(GLFWwindow*, int glfw_button, int action, int) {
        Glut& glut = self();
        const int button = glfw_button == GLFW_MOUSE_BUTTON_LEFT     ? GLUT_LEFT_BUTTON
                           : glfw_button == GLFW_MOUSE_BUTTON_MIDDLE ? GLUT_MIDDLE_BUTTON
                                                                     : GLUT_RIGHT_BUTTON;
        glut.held_ += action == GLFW_PRESS ? 1 : -1;
        if (!glut.mouse) return;
        glut.mouse(button, action == GLFW_PRESS ? GLUT_DOWN : GLUT_UP, glut.mouse_x_, glut.mouse_y_);
    }

    void move(double x, double y) {
        mouse_x_ = static_cast<int>(std::floor(x));
        mouse_y_ = static_cast<int>(std::floor(y));
        const auto callback = held_ > 0 ? motion : passive_motion;
        if (callback) callback(mouse_x_, mouse_y_);
    }

    /// Keeps what was drawn, if there is a file for it.
    void take_picture() {
        if (!file_ || !file_->wanted()) return;
        glfw.GetFramebufferSize(window_, &picture_size_.width, &picture_size_.height);
        picture_.resize(4 * static_cast<std::size_t>(picture_size_.width) *
                        static_cast<std::size_t>(picture_size_.height));
        gl_function<decltype(::glReadPixels)>("glReadPixels")(0, 0, picture_size_.width, picture_size_.height,
                                                              GL_RGBA, GL_UNSIGNED_BYTE, picture_.data());
        for (std::size_t i = 3; i < picture_.size(); i += 4) picture_[i] = 255;
    }

    /// Writes the last picture; called while the process ends.
    void write() {
        if (picture_.empty()) return;
        try {
            file_->write(picture_.data(), picture_size_.width, picture_size_.height);
        } catch (const MachineError& error) {
            std::fprintf(stderr, "%s\n", error.what());
            std::fflush(nullptr);
            _exit(static_cast<int>(ExitStatus::machine));
        }
    }

    window_detail::GlfwLibrary* library_ = nullptr;
    GLFWwindow* window_ = nullptr;
    std::optional<int> frames_;
    std::optional<PictureFile> file_;
    int held_ = 0;     ///< buttons
    int mouse_x_ = 0;  ///< when the last event came; the rows count from the top
    int mouse_y_ = 0;
    Size picture_size_{};
    std::vector<unsigned char> picture_;
};

inline Glut& Glut::self() {
    static Glut& glut = *new Glut;  // until the process ends
    return glut;
}

inline void (*gl_procedure(const char* name))() {
    return glfw.GetCurrentContext && glfw.GetCurrentContext() ? glfw.GetProcAddress(name) : nullptr;
}

#else

/// Stands where GLUT would be, in a program that was built without the headers that it needs.
class Glut : public GlutSettings {
  public:
    void init() {
        or_exit([] { Window{{1, 1}}; });
    }
    void create_window(const char* /*title*/) { init(); }
    void swap_buffers() {}
    void main_loop() { init(); }
    static Glut& self() {
        static Glut glut;
        return glut;
    }
};

inline void (*gl_procedure(const char* /*name*/))() { return nullptr; }

#endif

}  // namespace cudabook::book

inline void glutInit(int* /*argc*/, char** /*argv*/) { cudabook::book::Glut::self().init(); }
inline void glutInitDisplayMode(unsigned mode) { cudabook::book::Glut::self().mode = mode; }
inline void glutInitWindowSize(int width, int height) { cudabook::book::Glut::self().size = {width, height}; }
inline void glutInitWindowPosition(int left, int top) {
    cudabook::book::Glut::self().left = left;
    cudabook::book::Glut::self().top = top;
}
inline int glutCreateWindow(const char* title) {
    cudabook::book::Glut::self().create_window(title);
    return 1;
}
inline void glutDisplayFunc(void (*display)()) { cudabook::book::Glut::self().display = display; }
inline void glutReshapeFunc(void (*reshape)(int, int)) { cudabook::book::Glut::self().reshape = reshape; }
inline void glutKeyboardFunc(void (*keyboard)(unsigned char, int, int)) {
    cudabook::book::Glut::self().keyboard = keyboard;
}
inline void glutMouseFunc(void (*mouse)(int, int, int, int)) { cudabook::book::Glut::self().mouse = mouse; }
inline void glutMotionFunc(void (*motion)(int, int)) { cudabook::book::Glut::self().motion = motion; }
inline void glutPassiveMotionFunc(void (*motion)(int, int)) {
    cudabook::book::Glut::self().passive_motion = motion;
}
inline void glutIdleFunc(void (*idle)()) { cudabook::book::Glut::self().idle = idle; }
inline void glutPostRedisplay() { cudabook::book::Glut::self().redisplay = true; }
inline void glutSwapBuffers() { cudabook::book::Glut::self().swap_buffers(); }
inline void glutMainLoop() { cudabook::book::Glut::self().main_loop(); }
