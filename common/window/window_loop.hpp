// The main thread's loop, which shows an animation in a window. C++17.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "animation_state.hpp"
#include "input.hpp"
#include "panel.hpp"
#include "window.hpp"

namespace cudabook {

/// Shows the newest frame at the window's rate and passes on input, until there are no more frames. For the
/// main thread only.
class WindowLoop {
  public:
    /// `finished` becomes true once the last frame is published.
    WindowLoop(Window& window, AnimationState& state, const std::atomic<bool>& finished)
        : window_{window}, state_{state}, finished_{finished} {}

    /// Runs until the last frame is shown. Errors: MachineError.
    void run() {
        for (bool last = false; !last;) {
            last = finished_;  // read before drawing, so that the last frame is still shown
            handle_input();
            const WindowSettings settings = wait_for_change();
            window_.set_title(settings.title);
            window_.set_fullscreen(settings.fullscreen);
            window_.set_vsync(settings.vsync);
            if (window_.ready()) draw(settings);
        }
    }

  private:
    static constexpr std::chrono::milliseconds between_polls{4};  ///< the longest time between input polls

    void handle_input() {
        std::vector<WindowEvent> events = window_.poll();
        if (window_.closing()) state_.end();
        const auto handled = std::remove_if(events.begin(), events.end(), [this](const WindowEvent& event) {
            const auto* key = std::get_if<Key>(&event);
            return key && state_.handle_window_key(*key);
        });
        events.erase(handled, events.end());
        if (!events.empty()) state_.add_events(events);
    }

    /// Waits until there is something to show and the window can show it, but no longer than between_polls.
    WindowSettings wait_for_change() {
        if (!window_.ready() && !finished_) window_.wait(between_polls);
        if (!window_.ready()) return state_.settings();
        return state_.wait_for(between_polls, [this](const WindowSettings& settings) {
            return finished_ || !state_.frames.taken() || window_.stale() || !(shown_ == settings);
        });
    }

    /// Draws the window if anything has changed.
    void draw(const WindowSettings& settings) {
        const bool new_frame = state_.frames.upload_newest_to(window_);
        has_frame_ = has_frame_ || new_frame;
        if (!new_frame && !window_.stale() && shown_ == settings) return;
        const bool with_panel = has_frame_ && settings.panel.has_value();
        window_.draw(settings.panel.value_or(Panel{}), with_panel && settings.with_panel,
                     with_panel && settings.with_keys);
        shown_ = settings;
    }

    Window& window_;
    AnimationState& state_;
    const std::atomic<bool>& finished_;
    std::optional<WindowSettings> shown_;  ///< the settings when the window was last drawn
    bool has_frame_ = false;
};

}  // namespace cudabook
