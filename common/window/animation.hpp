// The animation of "CUDA by Example" (CPUAnimBitmap): in a window, or in none. In a window the frames are
// made in a thread of their own, and the window shows the newest of them at the monitor's pace.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "../program/errors.hpp"
#include "../program/interrupt.hpp"
#include "canvas.hpp"
#include "input.hpp"
#include "latest_frame.hpp"
#include "panel.hpp"
#include "window.hpp"

namespace cudabook {

/// Where an animation is shown: in a window, or nowhere.
enum class Display { window, headless };

/// Why an animation ended; `user` is Esc, Q, the close button, or a script that leaves it paused with no
/// window to go on in; `interrupt` is a signal (interrupt.hpp).
enum class AnimationEnd { not_yet, frame_limit, user, interrupt };

/// A picture of width x height pixels, and the loop that has it painted anew for each frame and shows it.
/// It takes these keys itself: Esc and Q end it, space pauses, `.` does a single frame and pauses, F takes
/// the whole screen, V waits for the monitor or not, I shows the panel or not, H lists the keys on it.
class CPUAnimBitmap {
  public:
    /// A black picture; `data` goes to the callbacks. Throws std::invalid_argument unless width and height
    /// are at least 1, MachineError where there is not enough memory.
    CPUAnimBitmap(int width, int height, void* data = nullptr) : grid_{width, height}, data_{data} {
        if (width < 1 || height < 1) throw std::invalid_argument("a picture needs at least 1x1 pixels");
        // The pixels have whole pages for themselves (of up to 64 KiB, on ARM), so that CUDA can lock them.
        // Memory from calloc is black, and costs nothing before it is used.
        constexpr std::size_t page = 65536;
        constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() - 2 * page;
        const std::size_t row = 4 * static_cast<std::size_t>(width);
        const auto rows = static_cast<std::size_t>(height);
        if (rows <= most / row) memory_.reset(std::calloc(row * rows + 2 * page, 1));
        if (!memory_) {
            throw MachineError("not enough memory for a picture of " + std::to_string(width) + "x" +
                               std::to_string(height) + " pixels; choose a smaller grid");
        }
        pixels_ = memory_.get();
        std::size_t space = row * rows + page;
        std::align(page, row * rows, pixels_, space);
    }

    /// The pixels: RGBA, 4 bytes each, row 0 is the bottom of the window. They stay where they are.
    [[nodiscard]] unsigned char* get_ptr() const { return static_cast<unsigned char*>(pixels_); }

    /// The size of the pixels in bytes.
    [[nodiscard]] std::int64_t image_size() const { return std::int64_t{4} * grid_.width * grid_.height; }

    // ----- before it runs

    /// Called between two frames when the left mouse button was pressed at (x0, y0) and let go at (x1, y1):
    /// columns and rows of the grid, row 0 at the bottom; beside the picture, the nearest cell.
    void click_drag(void (*callback)(void* data, int x0, int y0, int x1, int y1)) { click_ = callback; }

    /// Called between two frames for every piece of the mouse's way with a button held down.
    void click_drag(void (*callback)(void* data, const Drag& piece)) { drag_ = callback; }

    /// Called between two frames for the keys that it does not take itself.
    void on_key(void (*callback)(void* data, Key key)) { key_ = callback; }

    /// Called while it is paused, after keys or the mouse did something: to paint what they changed.
    void on_repaint(void (*callback)(void* data)) { repaint_ = callback; }

    /// What the user is to have done, in the order of the ticks. A tick, from 1, is a turn of the loop: a
    /// frame, or without one while it is paused. An input comes just before the frame of its tick.
    void set_script(std::vector<TimedInput> script) { script_ = std::move(script); }

    /// Where to show the frames: in a window, if nothing is said.
    void set_display(Display display) { display_ = display; }

    /// What to do where no window can be opened: the end of the error's message.
    void set_advice(std::string advice) { without_window_ = std::move(advice); }

    /// How a device's frames come into the window's texture; without it, through the host.
    void set_device_frames(MakeDeviceFrames make) { make_device_frames_ = std::move(make); }

    // ----- at any time, from the callbacks

    /// How many frames to do at most; nullopt: as many as an int can count.
    void set_frame_limit(std::optional<int> frames) { frame_limit_ = frames; }

    /// The window's title (UTF-8).
    void set_title(std::string title) {
        change([&] { look_.title = std::move(title); });
    }

    /// What the panel on the window says; none is drawn before it is set.
    void set_panel(Panel panel) {
        change([&] { look_.panel = std::move(panel); });
    }

    /// Whether the window shows frames in step with the monitor, as it does if nothing is said.
    void set_vsync(bool on) {
        change([&] { look_.vsync = on; });
    }

    /// Whether it is paused.
    [[nodiscard]] bool paused() const { return paused_; }

    /// Whether the frame in progress will be seen, and must be painted. A frame callback that never asks
    /// paints every frame.
    bool wanted() {
        const bool last = frames_done_ + 1 == most_frames();
        return wanted_ = !in_window_ || paused_ || last || latest_.taken();
    }

    /// Where to paint the frame in progress: to the device's memory, if that is asked for and leads to the
    /// window, else to get_ptr().
    Canvas canvas(bool on_device) {
        on_device_ = on_device && device_frames_ != nullptr;
        way_ = on_device_ ? "interop" : "copy";
        if (!on_device_) return {get_ptr(), DeviceKind::cpu};
        return {device_frames_->memory(latest_.to_paint()), DeviceKind::cuda};
    }

    /// How the last frame that was painted comes to a window: "copy" through the host, or "interop" within
    /// the device.
    [[nodiscard]] std::string_view way() const { return way_; }

    /// Calls frame(data, ticks) with ticks 1, 2, 3, … and shows what it painted, until the frame limit is
    /// reached, the user ends it, or an InterruptGuard has caught a signal; then calls at_exit(data) unless
    /// that is null, closes the window and returns. In a window, all callbacks but at_exit come from another
    /// thread. Throws MachineError where a window is asked for and cannot be opened. What a callback throws
    /// passes through, and the window closes; so does an error of the window, if no callback throws.
    void anim_and_exit(void (*frame)(void* data, int ticks), void (*at_exit)(void* data)) {
        frames_done_ = 0;
        ended_by_ = AnimationEnd::not_yet;
        tick_ = 0;
        next_in_script_ = 0;
        paused_ = false;
        single_frames_ = 0;
        ending_ = false;
        events_.clear();
        if (display_ == Display::headless) {
            run(frame);
        } else {
            run_in_window(frame);
        }
        if (at_exit) at_exit(data_);
    }

    /// How many frames the last anim_and_exit() did.
    [[nodiscard]] int frames_done() const { return frames_done_; }

    /// Why the last anim_and_exit() ended.
    [[nodiscard]] AnimationEnd ended_by() const { return ended_by_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds turn_without_frame{16};
    static constexpr std::chrono::milliseconds between_polls{4};  ///< of what the user does

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    /// How the window looks, beside the picture.
    struct Look {
        std::string title = "CPUAnimBitmap";
        std::optional<Panel> panel;
        bool with_panel = true;
        bool with_keys = false;
        bool fullscreen = false;
        bool vsync = true;

        friend bool operator==(const Look& one, const Look& other) {
            return std::tie(one.title, one.panel, one.with_panel, one.with_keys, one.fullscreen, one.vsync) ==
                   std::tie(other.title, other.panel, other.with_panel, other.with_keys, other.fullscreen,
                            other.vsync);
        }
    };

    // ----- the thread that makes the frames

    void run(void (*frame)(void* data, int ticks)) {
        while ((ended_by_ = reason_to_end()) == AnimationEnd::not_yet) {
            ++tick_;
            const bool any_input = take_inputs();
            if (ending_) continue;
            if (!paused_ || single_frames_ > 0) {
                if (paused_) --single_frames_;
                wanted_ = true;
                on_device_ = false;
                frame(data_, frames_done_ + 1);
                ++frames_done_;
                if (wanted_) publish();
            } else {
                if (any_input && repaint_) {
                    on_device_ = false;
                    repaint_(data_);
                    publish();
                }
                if (in_window_) wait_for_events();
            }
        }
    }

    [[nodiscard]] int most_frames() const { return frame_limit_.value_or(std::numeric_limits<int>::max()); }

    [[nodiscard]] AnimationEnd reason_to_end() const {
        if (frames_done_ >= most_frames()) return AnimationEnd::frame_limit;
        if (interrupted()) return AnimationEnd::interrupt;
        const bool for_ever =
            !in_window_ && paused_ && single_frames_ == 0 && next_in_script_ == script_.size();
        return ending_ || for_ever ? AnimationEnd::user : AnimationEnd::not_yet;
    }

    /// Handles what the user did and what the script says of this tick; whether there was anything.
    bool take_inputs() {
        std::vector<WindowEvent> events;
        {
            const std::lock_guard lock(mutex_);
            events.swap(events_);
        }
        for (; next_in_script_ < script_.size() && script_[next_in_script_].tick <= tick_;
             ++next_in_script_) {
            const Input& input = script_[next_in_script_].input;
            std::visit([&](const auto& what) { events.emplace_back(what); }, input);
            const auto* drag = std::get_if<Drag>(&input);
            if (drag && drag->button == Button::left) events.emplace_back(Click{drag->from, drag->to});
        }
        for (const WindowEvent& event : events) {
            if (const auto* key = std::get_if<Key>(&event)) {
                if (!take_key(*key) && key_) key_(data_, *key);
            } else if (const auto* drag = std::get_if<Drag>(&event)) {
                if (drag_) drag_(data_, *drag);
            } else if (const auto* click = std::get_if<Click>(&event)) {
                if (click_) click_(data_, click->from.x, click->from.y, click->to.x, click->to.y);
            }
        }
        return !events.empty();
    }

    /// Whether the key is one of its own; then it has done what that asks for.
    bool take_key(Key key) {
        if (take_key_of_display(key)) return true;
        if (key.character == ' ') {
            paused_ = !paused_;
            single_frames_ = 0;
        } else if (key.character == '.') {
            paused_ = true;
            ++single_frames_;
        } else {
            return false;
        }
        return true;
    }

    void publish() {
        if (!in_window_) return;
        const auto slot = static_cast<std::size_t>(latest_.to_paint());
        frame_on_device_[slot] = on_device_;
        if (!on_device_) host_frames_[slot].assign(get_ptr(), get_ptr() + image_size());
        change([this] { latest_.publish(); });
    }

    void wait_for_events() {
        std::unique_lock lock(mutex_);
        news_.wait_for(lock, turn_without_frame, [this] { return ending_ || !events_.empty(); });
    }

    // ----- both threads

    /// Changes what both threads know.
    template <class Change>
    void change(Change change) {
        const std::lock_guard lock(mutex_);
        change();
        news_.notify_all();
    }

    /// The keys that need not wait for the frame in progress.
    bool take_key_of_display(Key key) {
        switch (key.character) {
            case Key::escape:
            case 'Q':
                end();
                return true;
            case 'F':
                change([this] { look_.fullscreen = !look_.fullscreen; });
                return true;
            case 'V':
                change([this] { look_.vsync = !look_.vsync; });
                return true;
            case 'I':
                change([this] { look_.with_panel = !look_.with_panel; });
                return true;
            case 'H':
                change([this] { look_.with_keys = !look_.with_keys; });
                return true;
            default:
                return false;
        }
    }

    /// Ends it after the frame in progress.
    void end() {
        change([this] { ending_ = true; });
    }

    // ----- the thread that shows them

    void run_in_window(void (*frame)(void* data, int ticks)) {
        std::optional<Window> window;
        open(window);
        try {
            device_frames_ = make_device_frames_
                                 ? make_device_frames_(window->texture(), grid_.width, grid_.height)
                                 : nullptr;
        } catch (const MachineError&) {
            device_frames_ = nullptr;  // then the frames come through the host
        }
        latest_.take();  // of the last time it ran
        in_window_ = true;
        std::atomic<bool> finished{false};
        std::exception_ptr failed_frames, failed_display;  // each of one thread
        std::thread worker([&] {
            try {
                run(frame);
            } catch (...) {
                failed_frames = std::current_exception();
            }
            finished = true;
            change([] {});
        });
        try {
            show(*window, finished);
        } catch (...) {
            failed_display = std::current_exception();
            end();
        }
        worker.join();
        in_window_ = false;
        device_frames_.reset();
        if (failed_frames) std::rethrow_exception(failed_frames);
        if (failed_display) std::rethrow_exception(failed_display);
    }

    void open(std::optional<Window>& window) {
        try {
            window.emplace(grid_);
        } catch (const MachineError& error) {
            throw MachineError(std::string(error.what()) + "; " + without_window_);
        }
        window->set_title(look_.title);
        window->upload(get_ptr());
        window->show();
        window->draw({}, false, false);
    }

    /// Shows the newest frame, and takes in what the user does, until no more frames come.
    void show(Window& window, const std::atomic<bool>& finished) {
        std::optional<Look> shown;
        bool has_frame = false;
        for (bool last = false; !last;) {
            last = finished;  // then what was painted last is shown still
            pass_on(window.poll());
            if (window.closing()) end();
            const Look look = wait_for_news(window, finished, shown);
            window.set_title(look.title);
            window.set_fullscreen(look.fullscreen);
            window.set_vsync(look.vsync);
            if (!window.ready()) continue;
            const auto slot = latest_.take();
            if (slot) bring(window, static_cast<std::size_t>(*slot));
            has_frame = has_frame || slot;
            if (!slot && !window.stale() && shown == look) continue;
            const bool with_panel = has_frame && look.panel.has_value();
            window.draw(look.panel.value_or(Panel{}), with_panel && look.with_panel,
                        with_panel && look.with_keys);
            shown = look;
        }
    }

    /// Waits until there is something to show and the window can show it, but not for long: the user may do
    /// something.
    Look wait_for_news(Window& window, const std::atomic<bool>& finished, const std::optional<Look>& shown) {
        if (!window.ready() && !finished) window.wait(between_polls);
        std::unique_lock lock(mutex_);
        if (!window.ready()) return look_;
        news_.wait_for(lock, between_polls,
                       [&] { return finished || !latest_.taken() || window.stale() || !(shown == look_); });
        return look_;
    }

    void pass_on(std::vector<WindowEvent> events) {
        const auto taken = std::remove_if(events.begin(), events.end(), [this](const WindowEvent& event) {
            const auto* key = std::get_if<Key>(&event);
            return key && take_key_of_display(*key);
        });
        events.erase(taken, events.end());
        if (events.empty()) return;
        change([&] { events_.insert(events_.end(), events.begin(), events.end()); });
    }

    void bring(Window& window, std::size_t slot) {
        if (frame_on_device_[slot]) {
            device_frames_->show(static_cast<int>(slot));
        } else {
            window.upload(host_frames_[slot].data());
        }
    }

    Size grid_;
    void* data_;
    std::unique_ptr<void, Free> memory_;
    void* pixels_ = nullptr;
    Display display_ = Display::window;
    std::string without_window_ = "--headless runs without a window";
    MakeDeviceFrames make_device_frames_;
    void (*click_)(void* data, int x0, int y0, int x1, int y1) = nullptr;
    void (*drag_)(void* data, const Drag& piece) = nullptr;
    void (*key_)(void* data, Key key) = nullptr;
    void (*repaint_)(void* data) = nullptr;
    std::vector<TimedInput> script_;

    // Of the thread that makes the frames.
    std::optional<int> frame_limit_;
    int frames_done_ = 0;
    AnimationEnd ended_by_ = AnimationEnd::not_yet;
    std::int64_t tick_ = 0;
    std::size_t next_in_script_ = 0;
    bool paused_ = false;
    int single_frames_ = 0;   ///< to do while it is paused
    bool wanted_ = true;      ///< the frame in progress
    bool on_device_ = false;  ///< the frame in progress
    std::string_view way_ = "copy";
    bool in_window_ = false;

    // From thread to thread.
    LatestFrame latest_;
    std::array<std::vector<unsigned char>, 3> host_frames_;
    std::array<bool, 3> frame_on_device_{};
    std::unique_ptr<DeviceFrames> device_frames_;
    std::atomic<bool> ending_{false};
    std::mutex mutex_;  ///< of what follows
    std::condition_variable news_;
    Look look_;
    std::vector<WindowEvent> events_;
};

}  // namespace cudabook
