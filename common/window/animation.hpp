// The animation of "CUDA by Example" (CPUAnimBitmap), in a window or headless. With a window, a second thread
// computes the frames, and the window shows the newest one at the monitor's refresh rate. C++17.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "../program/errors.hpp"
#include "../program/interrupt.hpp"
#include "animation_state.hpp"
#include "canvas.hpp"
#include "display.hpp"
#include "input.hpp"
#include "panel.hpp"
#include "pixels.hpp"
#include "window.hpp"
#include "window_loop.hpp"

namespace cudabook {

/// Why an animation ended. `user`: Esc, Q, the close button, or the end of a headless script while the
/// animation is paused. `interrupt`: a signal (interrupt.hpp).
enum class AnimationEnd { not_yet, frame_limit, user, interrupt };

/// A picture of width x height pixels, and the loop that calls a callback for each frame and shows the frame.
/// The class handles these keys itself: Esc and Q end the animation, space pauses, `.` runs a single frame
/// and pauses, F toggles full screen, V vertical sync, I the panel, and H the list of keys on the panel.
class CPUAnimBitmap {
  public:
    /// A black picture; `data` is passed to the callbacks. Throws std::invalid_argument unless width and
    /// height are at least 1, MachineError if there is not enough memory.
    CPUAnimBitmap(int width, int height, void* data = nullptr)
        : grid_{width, height}, data_{data}, pixels_{width, height} {}

    /// The pixels: RGBA, 4 bytes each, row 0 is the bottom of the window. The address never changes.
    [[nodiscard]] unsigned char* get_ptr() const { return pixels_.data(); }

    /// The size of the pixels in bytes.
    [[nodiscard]] std::int64_t image_size() const { return pixels_.bytes(); }

    // ----- before anim_and_exit()

    /// Called between two frames when the left mouse button was pressed at (x0, y0) and released at (x1, y1).
    /// These are columns and rows of the grid; row 0 is at the bottom. A position outside the picture becomes
    /// the nearest cell.
    void click_drag(void (*callback)(void* data, int x0, int y0, int x1, int y1)) { click_ = callback; }

    /// Called between two frames for each segment of the mouse's path while a button is held down.
    void click_drag(void (*callback)(void* data, const Drag& segment)) { drag_ = callback; }

    /// Called between two frames when the wheel was turned.
    void on_wheel(void (*callback)(void* data, const Wheel& wheel)) { wheel_ = callback; }

    /// Called between two frames when the mouse was moved while no button was held down.
    void on_pointer(void (*callback)(void* data, Cell at)) { pointer_ = callback; }

    /// Called between two frames for the keys that this class does not handle.
    void on_key(void (*callback)(void* data, Key key)) { key_ = callback; }

    /// Called while the animation is paused, after keys or mouse input, to paint what the input changed.
    void on_repaint(void (*callback)(void* data)) { repaint_ = callback; }

    /// Says that only input changes the picture. In a window without a frame limit, each frame then waits for
    /// input, except for the first frame and the frames until the script ends. Space and `.` do not pause;
    /// they go to on_key()'s callback like other keys.
    void set_still() { still_ = true; }

    /// Sets scripted input, which must be ordered by tick. A tick is an iteration of the loop, counted from
    /// 1. Each iteration makes one frame, or no frame while the animation is paused. An input takes effect
    /// just before the frame of its tick.
    void set_script(std::vector<TimedInput> script) { script_ = std::move(script); }

    /// Sets where to show the frames; the default is a window.
    void set_display(Display display) { display_ = display; }

    /// Sets the advice at the end of the error message if no window can be opened.
    void set_advice(std::string advice) { advice_ = std::move(advice); }

    /// Sets the function that creates a DeviceFrames object, which copies frames from device memory to the
    /// window's texture. Without this function, the frames go through the host.
    void set_device_frames(MakeDeviceFrames make) { make_device_frames_ = std::move(make); }

    // ----- at any time, from the callbacks

    /// Sets the maximum number of frames; nullopt means the largest int.
    void set_frame_limit(std::optional<int> frames) { frame_limit_ = frames; }

    /// Sets the window's title (UTF-8).
    void set_title(std::string title) {
        state_.change_settings([&](WindowSettings& settings) { settings.title = std::move(title); });
    }

    /// Sets the text of the panel on the window; without a text there is no panel.
    void set_panel(Panel panel) {
        state_.change_settings([&](WindowSettings& settings) { settings.panel = std::move(panel); });
    }

    /// Sets whether the window waits for vertical sync; on by default.
    void set_vsync(bool on) {
        state_.change_settings([&](WindowSettings& settings) { settings.vsync = on; });
    }

    [[nodiscard]] bool paused() const { return paused_; }

    /// Returns true if the current frame will be shown and must be painted. A frame callback that never calls
    /// wanted() must paint every frame.
    bool wanted() {
        const bool last = frames_done_ + 1 == most_frames();
        return wanted_ = !in_window_ || paused_ || last || state_.frames.taken();
    }

    /// Returns where to paint the current frame: device memory if `on_device` is true and the device shares
    /// memory with the window, else get_ptr().
    Canvas canvas(bool on_device) {
        on_device_ = on_device && state_.frames.has_device_frames();
        path_to_window_ = on_device_ ? "interop" : "copy";
        return on_device_ ? state_.frames.device_canvas() : Canvas{get_ptr(), DeviceKind::cpu};
    }

    /// How the last painted frame gets to a window: "copy" through the host, or "interop" on the device.
    [[nodiscard]] std::string_view path_to_window() const { return path_to_window_; }

    /// Calls frame(data, ticks) with ticks 1, 2, 3, … and shows the painted frames, until the frame limit is
    /// reached, the user ends the animation, or an InterruptGuard has caught a signal. Then calls
    /// at_exit(data), unless at_exit is null, closes the window and returns. With a window, all callbacks
    /// except at_exit run in another thread. Throws MachineError if a window is requested and cannot be
    /// opened. An exception of a callback closes the window and is rethrown. An error of the window is
    /// rethrown too, unless a callback also throws.
    void anim_and_exit(void (*frame)(void* data, int ticks), void (*at_exit)(void* data)) {
        frames_done_ = 0;
        ended_by_ = AnimationEnd::not_yet;
        tick_ = 0;
        next_in_script_ = 0;
        paused_ = false;
        single_frames_ = 0;
        state_.reset();
        if (display_ == Display::headless) {
            make_frames(frame);
        } else {
            run_in_window(frame);
        }
        if (at_exit) at_exit(data_);
    }

    /// The number of frames of the last anim_and_exit().
    [[nodiscard]] int frames_done() const { return frames_done_; }

    /// Why the last anim_and_exit() ended.
    [[nodiscard]] AnimationEnd ended_by() const { return ended_by_; }

  private:
    static constexpr std::chrono::milliseconds paused_tick{16};

    // ----- the thread that computes the frames

    void make_frames(void (*frame)(void* data, int ticks)) {
        while ((ended_by_ = reason_to_end()) == AnimationEnd::not_yet) {
            ++tick_;
            const bool any_input = handle_inputs();
            if (state_.ending()) continue;
            if (!any_input && waits_for_input()) {
                state_.wait_for_events(paused_tick);
            } else if (!paused_ || single_frames_ > 0) {
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
                if (in_window_) state_.wait_for_events(paused_tick);
            }
        }
    }

    [[nodiscard]] bool waits_for_input() const {
        return still_ && in_window_ && !frame_limit_ && frames_done_ > 0 && next_in_script_ == script_.size();
    }

    [[nodiscard]] int most_frames() const { return frame_limit_.value_or(std::numeric_limits<int>::max()); }

    [[nodiscard]] AnimationEnd reason_to_end() const {
        if (frames_done_ >= most_frames()) return AnimationEnd::frame_limit;
        if (interrupted()) return AnimationEnd::interrupt;
        const bool paused_for_ever =
            !in_window_ && paused_ && single_frames_ == 0 && next_in_script_ == script_.size();
        return state_.ending() || paused_for_ever ? AnimationEnd::user : AnimationEnd::not_yet;
    }

    /// Handles the user's and the script's input for this tick. Returns whether there was any input. Input
    /// from the wheel or from moving the mouse counts only if there is a callback for it.
    bool handle_inputs() {
        std::vector<WindowEvent> events = state_.take_events();
        for (; next_in_script_ < script_.size() && script_[next_in_script_].tick <= tick_;
             ++next_in_script_) {
            const Input& input = script_[next_in_script_].input;
            std::visit([&](const auto& what) { events.emplace_back(what); }, input);
            const auto* drag = std::get_if<Drag>(&input);
            if (drag && drag->button == Button::left) events.emplace_back(Click{drag->from, drag->to});
        }
        bool any = false;
        for (const WindowEvent& event : events) {
            any = any || ((wheel_ || !std::holds_alternative<Wheel>(event)) &&
                          (pointer_ || !std::holds_alternative<Pointer>(event)));
            if (const auto* key = std::get_if<Key>(&event)) {
                if (!state_.handle_window_key(*key) && !handle_pause_key(*key) && key_) key_(data_, *key);
            } else if (const auto* drag = std::get_if<Drag>(&event)) {
                if (drag_) drag_(data_, *drag);
            } else if (const auto* click = std::get_if<Click>(&event)) {
                if (click_) click_(data_, click->from.x, click->from.y, click->to.x, click->to.y);
            } else if (const auto* wheel = std::get_if<Wheel>(&event)) {
                if (wheel_) wheel_(data_, *wheel);
            } else if (const auto* pointer = std::get_if<Pointer>(&event)) {
                if (pointer_) pointer_(data_, pointer->at);
            }
        }
        return any;
    }

    /// Handles space and `.`. Returns false for any other key, and for every key after set_still().
    bool handle_pause_key(Key key) {
        if (still_) return false;
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

    /// Hands the last painted frame to the window as the newest frame.
    void publish() {
        if (!in_window_) return;
        if (on_device_)
            state_.frames.publish_from_device();
        else
            state_.frames.publish(get_ptr(), image_size());
        state_.notify();
    }

    // ----- the main thread

    void run_in_window(void (*frame)(void* data, int ticks)) {
        const std::unique_ptr<Window> window = open();
        state_.frames.start(device_frames_of(*window));
        in_window_ = true;
        std::atomic<bool> finished{false};
        std::exception_ptr failed_frames, failed_window;  // each written by one thread
        std::thread maker([&] {
            try {
                make_frames(frame);
            } catch (...) {
                failed_frames = std::current_exception();
            }
            finished = true;
            state_.notify();
        });
        try {
            WindowLoop(*window, state_, finished).run();
        } catch (...) {
            failed_window = std::current_exception();
            state_.end();
        }
        maker.join();
        in_window_ = false;
        state_.frames.stop();
        if (failed_frames) std::rethrow_exception(failed_frames);
        if (failed_window) std::rethrow_exception(failed_window);
    }

    /// Opens the window and shows the current pixels.
    [[nodiscard]] std::unique_ptr<Window> open() const {
        std::unique_ptr<Window> window;
        try {
            window = open_window(grid_);
        } catch (const MachineError& error) {
            throw MachineError(std::string(error.what()) + "; " + advice_);
        }
        window->set_title(state_.settings().title);
        window->upload(get_ptr());
        window->show();
        window->draw({}, false, false);
        return window;
    }

    /// Returns null if the device and the window cannot share memory; frames then go through the host.
    [[nodiscard]] std::unique_ptr<DeviceFrames> device_frames_of(const Window& window) const {
        if (!make_device_frames_) return nullptr;
        try {
            return make_device_frames_(window.texture(), grid_.width, grid_.height);
        } catch (const MachineError&) {
            return nullptr;
        }
    }

    Size grid_;
    void* data_;
    Pixels pixels_;
    Display display_ = Display::window;
    std::string advice_ = "--headless runs without a window";
    MakeDeviceFrames make_device_frames_;
    void (*click_)(void* data, int x0, int y0, int x1, int y1) = nullptr;
    void (*drag_)(void* data, const Drag& segment) = nullptr;
    void (*wheel_)(void* data, const Wheel& wheel) = nullptr;
    void (*pointer_)(void* data, Cell at) = nullptr;
    void (*key_)(void* data, Key key) = nullptr;
    void (*repaint_)(void* data) = nullptr;
    std::vector<TimedInput> script_;
    bool still_ = false;
    AnimationState state_;

    // Used by the thread that computes the frames.
    std::optional<int> frame_limit_;
    int frames_done_ = 0;
    AnimationEnd ended_by_ = AnimationEnd::not_yet;
    std::int64_t tick_ = 0;
    std::size_t next_in_script_ = 0;
    bool paused_ = false;
    int single_frames_ = 0;   ///< how many frames to run while paused
    bool wanted_ = true;      ///< whether the current frame will be shown
    bool on_device_ = false;  ///< whether the current frame is in device memory
    std::string_view path_to_window_ = "copy";
    bool in_window_ = false;
};

}  // namespace cudabook
