// Implements glut.h.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../program/errors.hpp"
#include "display.hpp"
#include "gl_calls.hpp"
#include "glut_program.hpp"
#include "offscreen.hpp"

#ifndef CUDABOOK_INLINE
#define CUDABOOK_INLINE inline
#endif

namespace cudabook::book {

/// A GLUT program and its backend: a window, the system's GLUT that the program is linked with, or offscreen
/// memory. Errors end the program.
class Glut : public GlutProgram {
  public:
    /// State for programs that are linked with the system's GLUT and run without a display.
    std::vector<std::function<void()>> timers;
    void (*closed)() = nullptr;
    bool main_loop_returns = false;
    bool ended = false;

    static Glut& self() {
        static Glut& glut = *new Glut;  // never destroyed
        return glut;
    }

    /// Returns the function `name` from the libraries linked with the program, or null if there is none.
    static void* linked(const char* name) { return dlsym(RTLD_NEXT, name); }

    /// Chooses the backend at the first call.
    void start() {
        if (std::exchange(started_, true)) return;
        or_exit([&] {
            frames_ = requested_frames();
            file_.emplace();
            std::atexit([] { self().write(); });
            if (frames_) return;
            uses_system_glut_ = linked("glutInit") && x_server_answers();
            if (uses_system_glut_) return;
            try {
                window_ = make_opengl_window(*this).release();
            } catch (const MachineError& error) {
                no_display_ = error.what();
                frames_ = 10;
            }
        });
    }

    /// Returns the system's GLUT function `name` if the program uses the system's GLUT, else null.
    template <class Function>
    Function* system_function(const char* name) {
        start();
        return uses_system_glut_ ? reinterpret_cast<Function*>(linked(name)) : nullptr;
    }

    /// Whether the program uses the system's GLUT.
    bool uses_system_glut() {
        start();
        return uses_system_glut_;
    }

    /// Opens the window and makes its OpenGL context current. In a run without a window, creates a hidden
    /// context and makes it current. If the program uses the system's GLUT, leaves both to the system's GLUT.
    void create_window(const char* title) {
        start();
        ended = false;
        const bool first = !std::exchange(created_, true);
        if (uses_system_glut_) return;
        or_exit([&] {
            if (frames_)
                create_hidden(title);
            else
                window_->open(window_setup(title, true));
        });
        if (!first || no_display_.empty()) return;
        say_without_window(no_display_, *frames_);
    }

    void swap_buffers() {
        take_picture();
        if (window_ && !frames_) window_->swap();
    }

    void main_loop() {
        start();
        if (uses_system_glut_) return;
        if (!created_) create_window("GLUT");
        if (frames_) {
            while (next_frame()) {
            }
            if (!main_loop_returns) end();
            if (closed) closed();
        } else {
            loop_in_window();
        }
    }

    /// Calls the close callback, if there is one, and ends the program.
    [[noreturn]] void end() {
        if (closed) closed();
        std::exit(EXIT_SUCCESS);
    }

    /// Runs a frame without a window. Returns false after the last frame.
    bool next_frame() {
        if (ended || frames_done_ == frames_) return false;
        if (frames_done_++ == 0) {
            fit_to_window();
        } else {
            for (const auto& timer : std::exchange(timers, {})) timer();
            if (idle) idle();
        }
        draw();
        return true;
    }

    /// Calls the display callback and keeps a copy of the frame (take_picture()).
    void draw() {
        redisplay = false;
        picture_taken_ = false;
        if (display) display();
        if (!picture_taken_) take_picture();
    }

    /// Returns the size of the framebuffer.
    [[nodiscard]] Size window_size() {
        if (const auto get = system_function<int(unsigned)>("glutGet")) return {get(102), get(103)};
        return window_ && created_ ? window_->size() : size;
    }

    [[nodiscard]] int milliseconds() const {
        const auto since = std::chrono::steady_clock::now() - began_;
        return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
    }

  private:
    /// Returns whether there is an X server. Without a server, the system's GLUT would end the program. Keeps
    /// the connection open, because some servers reset when their last client disconnects.
    static bool x_server_answers() {
        const auto open = reinterpret_cast<void* (*)(const char*)>(dlsym(RTLD_DEFAULT, "XOpenDisplay"));
        return open && open(nullptr) != nullptr;
    }

    /// Creates an OpenGL context without a visible window: offscreen or, if that fails, in a hidden window.
    void create_hidden(const char* title) {
        try {
            draw_offscreen(size.width, size.height);
        } catch (const MachineError& no_opengl) {
            try {
                if (!no_display_.empty()) throw MachineError(no_display_);
                window_ = make_opengl_window(*this).release();
                window_->open(window_setup(title, false));
            } catch (const MachineError& no_display) {
                throw MachineError(std::string(no_display.what()) + "; " + no_opengl.what());
            }
        }
    }

    void fit_to_window() {
        const Size now = window_size();
        resized(now.width, now.height);
    }

    [[noreturn]] void loop_in_window() {
        constexpr double long_enough = 3600;
        constexpr double while_hidden = 0.016;
        fit_to_window();
        while (true) {
            const bool visible = window_->ready();
            if (redisplay && visible) draw();
            window_->poll(!visible ? while_hidden : idle || redisplay ? 0 : long_enough);
            if (window_->closing()) std::exit(EXIT_SUCCESS);
            if (idle) idle();
        }
    }

    /// Keeps a copy of the frame if CUDABOOK_PNG is set.
    void take_picture() {
        picture_taken_ = true;
        if (!file_ || !file_->wanted()) return;
        picture_size_ = window_size();
        picture_.resize(4 * static_cast<std::size_t>(picture_size_.width) *
                        static_cast<std::size_t>(picture_size_.height));
        constexpr unsigned rgba = 0x1908;
        constexpr unsigned bytes = 0x1401;
        in_libgl<void(int, int, int, int, unsigned, unsigned, void*)>("glReadPixels")(
            0, 0, picture_size_.width, picture_size_.height, rgba, bytes, picture_.data());
        for (std::size_t i = 3; i < picture_.size(); i += 4) picture_[i] = 255;
    }

    /// Writes the last picture when the process ends.
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

    bool started_ = false;
    bool created_ = false;
    bool uses_system_glut_ = false;
    OpenGlWindow* window_ = nullptr;  ///< never destroyed; hidden if frames_ is set
    std::optional<int> frames_;       ///< the number of frames to run without a window
    int frames_done_ = 0;             ///< how many of frames_ have run
    std::string no_display_;          ///< why there is no display; empty with a display or CUDABOOK_FRAMES
    std::optional<PictureFile> file_;
    bool picture_taken_ = false;  ///< whether the current frame was copied
    Size picture_size_{};
    std::vector<unsigned char> picture_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace cudabook::book

// Defines a GLUT function that runs `ours`. If the program uses the system's GLUT, the function then calls
// the system's GLUT function of the same name.
#define CUDABOOK_GLUT(name, parameters, arguments, ours)                                            \
    extern "C" CUDABOOK_INLINE void name parameters {                                               \
        cudabook::book::Glut& glut = cudabook::book::Glut::self();                                  \
        ours;                                                                                       \
        if (const auto function = glut.system_function<void parameters>(#name)) function arguments; \
    }

// clang-format off
CUDABOOK_GLUT(glutInit, (int* argc, char** argv), (argc, argv), glut.start())
CUDABOOK_GLUT(glutInitDisplayMode, (unsigned mode), (mode), glut.mode = mode)
CUDABOOK_GLUT(glutInitWindowSize, (int width, int height), (width, height), (glut.size = {width, height}))
CUDABOOK_GLUT(glutInitWindowPosition, (int left, int top), (left, top), (glut.left = left, glut.top = top))
CUDABOOK_GLUT(glutReshapeFunc, (void (*reshape)(int, int)), (reshape), glut.reshape = reshape)
CUDABOOK_GLUT(glutKeyboardFunc, (void (*keyboard)(unsigned char, int, int)), (keyboard), glut.keyboard = keyboard)
CUDABOOK_GLUT(glutMouseFunc, (void (*mouse)(int, int, int, int)), (mouse), glut.mouse = mouse)
CUDABOOK_GLUT(glutMotionFunc, (void (*motion)(int, int)), (motion), glut.motion = motion)
CUDABOOK_GLUT(glutPassiveMotionFunc, (void (*motion)(int, int)), (motion), glut.passive_motion = motion)
CUDABOOK_GLUT(glutIdleFunc, (void (*idle)()), (idle), glut.idle = idle)
CUDABOOK_GLUT(glutPostRedisplay, (), (), glut.redisplay = true)
CUDABOOK_GLUT(glutSwapBuffers, (), (), glut.swap_buffers())
CUDABOOK_GLUT(glutMainLoop, (), (), glut.main_loop())
// clang-format on
#undef CUDABOOK_GLUT

extern "C" CUDABOOK_INLINE int glutCreateWindow(const char* title) {
    cudabook::book::Glut& glut = cudabook::book::Glut::self();
    glut.create_window(title);
    const auto function = glut.system_function<int(const char*)>("glutCreateWindow");
    return function ? function(title) : 1;
}

extern "C" CUDABOOK_INLINE void glutDisplayFunc(void (*display)()) {
    cudabook::book::Glut& glut = cudabook::book::Glut::self();
    glut.display = display;
    if (const auto function = glut.system_function<void(void (*)())>("glutDisplayFunc"))
        function([] { cudabook::book::Glut::self().draw(); });
}
