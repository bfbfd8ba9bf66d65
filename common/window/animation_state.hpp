// The state that the two threads of an animation in a window share: one thread computes the frames, the other
// shows them and polls for input. C++17.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frame_exchange.hpp"
#include "input.hpp"
#include "panel.hpp"

namespace cudabook {

/// The settings of a window besides the picture.
struct WindowSettings {
    std::string title = "CPUAnimBitmap";
    std::optional<Panel> panel;
    bool with_panel = true;
    bool with_keys = false;
    bool fullscreen = false;
    bool vsync = true;

    friend bool operator==(const WindowSettings& one, const WindowSettings& other) {
        return std::tie(one.title, one.panel, one.with_panel, one.with_keys, one.fullscreen, one.vsync) ==
               std::tie(other.title, other.panel, other.with_panel, other.with_keys, other.fullscreen,
                        other.vsync);
    }
};

/// The shared state of the two threads of an animation. Thread-safe.
class AnimationState {
  public:
    FrameExchange frames;  ///< has its own synchronisation

    /// Calls change(settings) and wakes the thread that waits in wait_for() or wait_for_events().
    template <class Change>
    void change_settings(Change change) {
        const std::lock_guard lock(mutex_);
        change(settings_);
        changed_.notify_all();
    }

    [[nodiscard]] WindowSettings settings() const {
        const std::lock_guard lock(mutex_);
        return settings_;
    }

    /// Handles the window's keys: Esc and Q end the animation; F, V, I and H change the settings. Returns
    /// false for any other key.
    bool handle_window_key(Key key) {
        const auto toggle = [this](bool WindowSettings::*setting) {
            change_settings([=](WindowSettings& settings) { settings.*setting = !(settings.*setting); });
            return true;
        };
        switch (key.character) {
            case Key::escape:
            case 'Q':
                end();
                return true;
            case 'F':
                return toggle(&WindowSettings::fullscreen);
            case 'V':
                return toggle(&WindowSettings::vsync);
            case 'I':
                return toggle(&WindowSettings::with_panel);
            case 'H':
                return toggle(&WindowSettings::with_keys);
            default:
                return false;
        }
    }

    /// Ends the animation after the current frame.
    void end() {
        ending_ = true;
        notify();
    }
    [[nodiscard]] bool ending() const { return ending_; }

    /// Prepares for the animation to run again.
    void reset() {
        const std::lock_guard lock(mutex_);
        ending_ = false;
        events_.clear();
    }

    /// Wakes the waiting threads. Called when a frame was published, and when there will be no more frames.
    void notify() {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }

    /// Waits until `condition(settings)` holds, at most for `time`. Returns the settings.
    template <class Condition>
    WindowSettings wait_for(std::chrono::milliseconds time, Condition condition) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, time, [&] { return condition(settings_); });
        return settings_;
    }

    // ----- the user's input

    void add_events(const std::vector<WindowEvent>& events) {
        const std::lock_guard lock(mutex_);
        events_.insert(events_.end(), events.begin(), events.end());
        changed_.notify_all();
    }

    /// Returns the events added since the last call.
    std::vector<WindowEvent> take_events() {
        const std::lock_guard lock(mutex_);
        return std::exchange(events_, {});
    }

    /// Waits for an event or the end of the animation, at most for `time`.
    void wait_for_events(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, time, [this] { return ending_ || !events_.empty(); });
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> ending_{false};
    WindowSettings settings_;
    std::vector<WindowEvent> events_;
};

}  // namespace cudabook
