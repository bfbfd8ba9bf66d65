// Shows the pictures of CUDA by Example's programs, in a window or headless.
// Environment variables:
//
//     CUDABOOK_FRAMES=N     no window; N frames (1 for a still picture)
//     CUDABOOK_PNG=FILE     writes the last frame to this file
//
// C++17; needs no library to link. An error prints one line on stderr and ends the program. The exit status
// is 3 if the machine lacks something, and 2 if a variable is invalid.
#pragma once

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "../program/errors.hpp"
#include "../program/output_file.hpp"
#include "../program/shared_library.hpp"
#include "../window/animation.hpp"
#if __has_include(<png.h>)
#include "../program/png_file.hpp"
#endif

#include "device_of_thread.hpp"

namespace cudabook::book {

/// Returns work(). If work() throws UsageError, MachineError or std::invalid_argument, prints the message on
/// stderr and ends the program.
template <class Work>
auto or_exit(Work work) -> decltype(work()) {
    ExitStatus status{};
    try {
        return work();
    } catch (const UsageError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        status = ExitStatus::usage;
    } catch (const MachineError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        status = ExitStatus::machine;
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "%s\n", error.what());
        status = ExitStatus::machine;
    }
    std::exit(static_cast<int>(status));
}

/// Returns the value of CUDABOOK_FRAMES, or nullopt if the variable is not set. Errors: UsageError.
inline std::optional<int> requested_frames() {
    const char* variable = std::getenv("CUDABOOK_FRAMES");
    if (!variable) return std::nullopt;
    const std::string_view text = variable;
    int frames = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), frames);
    if (error != std::errc() || end != text.data() + text.size() || frames < 1) {
        throw UsageError("CUDABOOK_FRAMES '" + std::string(text) + "': use a whole number from 1 to " +
                         std::to_string(std::numeric_limits<int>::max()));
    }
    return frames;
}

/// Prints on stderr why there is no window, how many frames are made anyway, and how to keep the last
/// picture.
inline void say_without_window(const std::string& reason, int frames) {
    std::fprintf(stderr, "%s; %d %s without a window%s\n", reason.c_str(), frames,
                 frames == 1 ? "frame" : "frames",
                 std::getenv("CUDABOOK_PNG") == nullptr ? "; CUDABOOK_PNG=FILE keeps the last picture" : "");
}

/// The file named by CUDABOOK_PNG, if the variable is set. Errors: MachineError.
class PictureFile {
  public:
    PictureFile() {
        const char* path = std::getenv("CUDABOOK_PNG");
        if (!path) return;
#if __has_include(<png.h>)
        static const SharedLibrary& libpng = *new SharedLibrary{"libpng16.so.16", "libpng16.16.dylib"};
        write_ = libpng.function<std::remove_pointer_t<PngWriter>>("png_image_write_to_stdio");
        if (!write_) {
            throw MachineError(
                "CUDABOOK_PNG: libpng16.so.16 is missing; install libpng 1.6 (Debian: apt-get install "
                "libpng16-16)");
        }
        try {
            file_.emplace(path);
        } catch (const MachineError& error) {
            throw MachineError(std::string("CUDABOOK_PNG: ") + error.what());
        }
#else
        throw MachineError(
            "CUDABOOK_PNG: this program was built without libpng's png.h (Debian: apt-get install "
            "libpng-dev)");
#endif
    }

    [[nodiscard]] bool wanted() const { return file_.has_value(); }

    /// Writes the picture (RGBA, row 0 is the bottom) if CUDABOOK_PNG is set.
    void write([[maybe_unused]] const unsigned char* rgba, [[maybe_unused]] int width,
               [[maybe_unused]] int height) {
#if __has_include(<png.h>)
        if (file_) write_png(*file_, rgba, width, height, write_);
#endif
    }

  private:
    std::optional<OutputFile> file_;
#if __has_include(<png.h>)
    PngWriter write_ = nullptr;
#endif
};

/// While an ExitWhileDrawing exists, exit() in another thread ends the process without destroying static
/// objects. The thread that created the ExitWhileDrawing may still be drawing with these objects.
class ExitWhileDrawing {
  public:
    ExitWhileDrawing() {
#ifdef __GLIBC__
        [[maybe_unused]] static const int once = on_exit(
            [](int status, void*) {
                if (!drawing || std::this_thread::get_id() == drawing_thread) return;
                std::fflush(nullptr);
                _exit(status);
            },
            nullptr);
#endif
        drawing_thread = std::this_thread::get_id();
        drawing = true;
    }
    ~ExitWhileDrawing() { drawing = false; }
    ExitWhileDrawing(const ExitWhileDrawing&) = delete;
    ExitWhileDrawing& operator=(const ExitWhileDrawing&) = delete;

  private:
    static inline std::atomic<bool> drawing{false};
    static inline std::thread::id drawing_thread;
};

/// Shows the picture of one of the book's bitmap classes.
class BitmapDisplay {
  public:
    BitmapDisplay(int width, int height) : width_(width), height_(height), animation_(width, height, this) {
        animation_.set_advice("CUDABOOK_FRAMES=1 runs without one");
    }

    cudabook::CPUAnimBitmap& animation() { return animation_; }
    [[nodiscard]] unsigned char* pixels() const { return animation_.get_ptr(); }

    /// The callback of the book's click_drag(); rows count from the top.
    std::function<void(int x0, int y0, int x1, int y1)> on_click;

    /// Shows a still picture.
    void still(const char* title) {
        // The picture is already painted, so one frame suffices: a scripted space key pauses at tick 2.
        animation_.set_script({{2, Key{' ', false}}});
        run(title, 1, true, [](int ticks) {
            if (ticks > 1) std::this_thread::sleep_for(std::chrono::milliseconds(16));
        });
    }

    /// Shows what `frame` paints, with ticks 1, 2, 3, …. Then calls copy_last_frame(), which copies the last
    /// frame to pixels().
    void frames(
        const char* title, std::function<void(int ticks)> frame,
        std::function<void()> copy_last_frame = [] {}) {
        run(title, 10, false, std::move(frame), std::move(copy_last_frame));
    }

  private:
    void run(
        const char* title, int most, bool still, std::function<void(int ticks)> frame,
        std::function<void()> copy_last_frame = [] {}) {
        or_exit([&] {
            std::optional<int> frames = requested_frames();
            PictureFile file;
            std::string reason;
            if (!frames && !display_available(&reason)) {
                frames = most;
                say_without_window(reason, most);
            }
            if (frames && still) frames = 1;
            if (frames) animation_.set_display(Display::headless);
            animation_.set_frame_limit(frames);
            animation_.set_title(title);
            animation_.click_drag([](void* self, int x0, int y0, int x1, int y1) {
                const BitmapDisplay& display = *static_cast<BitmapDisplay*>(self);
                const int top = display.height_ - 1;
                if (display.on_click) display.on_click(x0, top - y0, x1, top - y1);
            });
            frame_ = std::move(frame);
            device_ = device_of_thread();
            std::optional<ExitWhileDrawing> exit_guard;
            if (!frames) exit_guard.emplace();
            animation_.anim_and_exit(
                [](void* self, int ticks) {
                    const BitmapDisplay& display = *static_cast<BitmapDisplay*>(self);
                    if (ticks == 1) set_device_of_thread(display.device_);
                    display.frame_(ticks);
                },
                nullptr);
            exit_guard.reset();
            copy_last_frame();
            file.write(pixels(), width_, height_);
        });
    }

    int width_;
    int height_;
    int device_ = 0;  ///< the main thread's CUDA device, also for the thread that computes the frames
    cudabook::CPUAnimBitmap animation_;
    std::function<void(int ticks)> frame_;
};

}  // namespace cudabook::book
