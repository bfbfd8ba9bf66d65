// What the two threads of an animation in a window share: the one that makes the frames, and the one that
// shows them and hears the user. C++17.
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

/// What a window shows beside the picture, and how.
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

/// Any thread may call any of it.
class AnimationState {
  public:
    FrameExchange frames;  ///< synchronised by itself

    /// Calls change(settings), and wakes whoever waits for news.
    template <class Change>
    void change_settings(Change change) {
        const std::lock_guard lock(mutex_);
        change(settings_);
        news_.notify_all();
    }

    [[nodiscard]] WindowSettings settings() const {
        const std::lock_guard lock(mutex_);
        return settings_;
    }

    /// Does what a key asks of the window: Esc and Q end the animation, F, V, I and H change the settings.
    /// False if it is another key.
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

    /// Ends the animation after the frame in progress.
    void end() {
        ending_ = true;
        notify();
    }
    [[nodiscard]] bool ending() const { return ending_; }

    /// Before the animation runs again: nothing has happened yet.
    void reset() {
        const std::lock_guard lock(mutex_);
        ending_ = false;
        events_.clear();
    }

    /// Wakes whoever waits for news: a frame was published, or there will be no more.
    void notify() {
        const std::lock_guard lock(mutex_);
        news_.notify_all();
    }

    /// Waits for news until `condition(settings)` holds, at most for so long. The settings then.
    template <class Condition>
    WindowSettings wait_for(std::chrono::milliseconds time, Condition condition) {
        std::unique_lock lock(mutex_);
        news_.wait_for(lock, time, [&] { return condition(settings_); });
        return settings_;
    }

    // ----- what the user did

    void add_events(const std::vector<WindowEvent>& events) {
        const std::lock_guard lock(mutex_);
        events_.insert(events_.end(), events.begin(), events.end());
        news_.notify_all();
    }

    /// What was added since the last call.
    std::vector<WindowEvent> take_events() {
        const std::lock_guard lock(mutex_);
        return std::exchange(events_, {});
    }

    /// Waits for an event or the end, at most for so long.
    void wait_for_events(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        news_.wait_for(lock, time, [this] { return ending_ || !events_.empty(); });
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable news_;
    std::atomic<bool> ending_{false};
    WindowSettings settings_;
    std::vector<WindowEvent> events_;
};

}  // namespace cudabook
