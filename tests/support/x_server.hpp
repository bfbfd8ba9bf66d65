// A virtual display for tests (Xvfb), with screenshots and simulated input. Needs Xvfb, xdotool and libX11.
// Include GoogleTest before this header: Xlib has macros like None.
#pragma once

#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/scoped_variable.hpp"

namespace cudabook::test {

/// The content of the screen: 0xRRGGBB for each pixel, row 0 at the top.
struct Screenshot {
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> pixels;

    bool operator==(const Screenshot&) const = default;
};

/// An X server of 1280x1024 pixels, 24 bits each, with software OpenGL and no window manager. During the
/// object's lifetime, DISPLAY names this X server. Errors: std::runtime_error if the X server cannot be
/// started; the message says what is missing.
class XServer {
  public:
    enum class OpenGl { yes, no };

    explicit XServer(OpenGl opengl = OpenGl::yes) {
        if (std::system("command -v xdotool > /dev/null") != 0) {
            throw std::runtime_error("xdotool is not installed");
        }
        start(opengl);
        try {
            const std::string name = ":" + read_number();
            display_variable_.emplace("DISPLAY", name.c_str());
            display_.reset(XOpenDisplay(name.c_str()));
            if (!display_) throw std::runtime_error("cannot connect to Xvfb " + name);
            // A window may disappear during a query; that must not end the tests.
            XSetErrorHandler([](::Display*, XErrorEvent*) { return 0; });
        } catch (...) {
            stop();
            throw;
        }
    }

    ~XServer() {
        display_.reset();
        stop();
    }

    XServer(const XServer&) = delete;
    XServer& operator=(const XServer&) = delete;

    /// Returns the visible window on the screen, or 0 if there is none.
    ::Window window() const {
        ::Window root = 0, parent = 0, *children = nullptr;
        unsigned count = 0;
        XQueryTree(display_.get(), DefaultRootWindow(display_.get()), &root, &parent, &children, &count);
        const std::unique_ptr<::Window, int (*)(void*)> owner{children, XFree};
        for (unsigned i = 0; i < count; ++i) {
            if (attributes(children[i]).map_state == IsViewable) return children[i];
        }
        return 0;
    }

    /// Returns the window's current content.
    Screenshot screenshot(::Window window) const {
        const XWindowAttributes now = attributes(window);
        Screenshot shot{now.width, now.height, {}};
        const std::unique_ptr<XImage, int (*)(XImage*)> image{
            XGetImage(display_.get(), window, 0, 0, static_cast<unsigned>(now.width),
                      static_cast<unsigned>(now.height), AllPlanes, ZPixmap),
            [](XImage* i) { return XDestroyImage(i); }};
        if (!image) return {};
        for (int y = 0; y < now.height; ++y) {
            for (int x = 0; x < now.width; ++x) {
                shot.pixels.push_back(static_cast<std::uint32_t>(XGetPixel(image.get(), x, y)) & 0xffffff);
            }
        }
        return shot;
    }

    /// Returns the title in UTF-8.
    std::string title(::Window window) const {
        Atom type = 0;
        int bits = 0;
        unsigned long size = 0, left = 0;
        unsigned char* text = nullptr;
        XGetWindowProperty(display_.get(), window, XInternAtom(display_.get(), "_NET_WM_NAME", False), 0,
                           1024, False, XInternAtom(display_.get(), "UTF8_STRING", False), &type, &bits,
                           &size, &left, &text);
        const std::unique_ptr<unsigned char, int (*)(void*)> owner{text, XFree};
        return text ? reinterpret_cast<const char*>(text) : "";
    }

    void resize(::Window window, int width, int height) {
        XResizeWindow(display_.get(), window, static_cast<unsigned>(width), static_cast<unsigned>(height));
        XSync(display_.get(), False);
    }

    /// Minimises or restores the window in the way of a window manager.
    void minimise(::Window window, bool minimised) {
        const Atom state = XInternAtom(display_.get(), "WM_STATE", False);
        const unsigned long values[] = {minimised ? 3UL : 1UL, None};  // IconicState, NormalState
        XChangeProperty(display_.get(), window, state, state, 32, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(values), 2);
        if (minimised)
            XUnmapWindow(display_.get(), window);
        else
            XMapWindow(display_.get(), window);
        XSync(display_.get(), False);
    }

    /// Sends the message that a window manager sends when the user presses the close button.
    void press_close_button(::Window window) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = window;
        event.xclient.message_type = XInternAtom(display_.get(), "WM_PROTOCOLS", False);
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(XInternAtom(display_.get(), "WM_DELETE_WINDOW", False));
        event.xclient.data.l[1] = CurrentTime;
        XSendEvent(display_.get(), window, False, NoEventMask, &event);
        XSync(display_.get(), False);
    }

    /// Moves the mouse to the middle and releases the buttons and keys that a test may have left down.
    void reset_inputs() { xdotool("mousemove 640 512 mouseup 1 mouseup 3 keyup shift keyup period keyup k"); }

    /// Makes keys that are held down repeat after `delay_ms`, every `interval_ms`.
    void set_key_repeat(unsigned delay_ms, unsigned interval_ms) {
        XkbSetAutoRepeatRate(display_.get(), XkbUseCoreKbd, delay_ms, interval_ms);
        XSync(display_.get(), False);
    }

    /// Makes key_presses() count this window's key presses from now on, including repeated ones.
    void watch_keys(::Window window) {
        XSelectInput(display_.get(), window, KeyPressMask);
        XSync(display_.get(), True);
        key_presses_ = 0;
    }
    int key_presses() {
        XEvent event{};
        while (XCheckTypedEvent(display_.get(), KeyPress, &event)) ++key_presses_;
        return key_presses_;
    }

    /// Runs keyboard and mouse commands of xdotool, such as "key Escape".
    void xdotool(const std::string& commands) {
        if (std::system(("xdotool " + commands).c_str()) != 0)
            throw std::runtime_error("xdotool failed: " + commands);
    }

  private:
    // Xvfb picks a free display and writes its number to a pipe. With -terminate it ends with its last
    // connection, so it does not outlive a crashing test.
    void start(OpenGl opengl) {
        int pipe_ends[2];
        if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
        number_ = pipe_ends[0];
        const char* glx = opengl == OpenGl::yes ? "+extension" : "-extension";
        const char* arguments[] = {"Xvfb", "-displayfd", "3",         "-screen", "0",          "1280x1024x24",
                                   glx,    "GLX",        "-nolisten", "tcp",     "-terminate", nullptr};
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 3);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        const int failed =
            posix_spawnp(&process_, arguments[0], &actions, nullptr, const_cast<char**>(arguments), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(pipe_ends[1]);
        if (failed) {
            close(number_);
            throw std::runtime_error(std::string("cannot start Xvfb: ") + std::strerror(failed));
        }
    }

    std::string read_number() const {
        std::string number;
        pollfd waiting{number_, POLLIN, 0};
        char c = 0;
        while (poll(&waiting, 1, 10000) == 1 && read(number_, &c, 1) == 1) {
            if (c == '\n') return number;
            number += c;
        }
        throw std::runtime_error("Xvfb did not start");
    }

    void stop() {
        close(number_);
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }

    XWindowAttributes attributes(::Window window) const {
        XWindowAttributes now{};
        XGetWindowAttributes(display_.get(), window, &now);
        return now;
    }

    ScopedVariable software_{"LIBGL_ALWAYS_SOFTWARE", "1"};
    ScopedVariable no_wayland_{"WAYLAND_DISPLAY", nullptr};
    ScopedVariable session_{"XDG_SESSION_TYPE", "x11"};  // GLFW 3.4 reads it
    std::optional<ScopedVariable> display_variable_;
    pid_t process_ = 0;
    int number_ = -1;
    int key_presses_ = 0;
    std::unique_ptr<::Display, int (*)(::Display*)> display_{nullptr, XCloseDisplay};
};

}  // namespace cudabook::test
