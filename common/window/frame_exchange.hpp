// Passes frames from the thread that paints them to the window, through host memory or on the device. C++17.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "canvas.hpp"
#include "latest_frame.hpp"
#include "window.hpp"

namespace cudabook {

/// Three frames (triple buffering): one is painted, one is shown, and one waits to be shown. Neither thread
/// waits for the other.
class FrameExchange {
  public:
    /// Starts a new run. If `device_frames` is null, every frame goes through the host. Neither the painting
    /// thread nor the showing thread may be running.
    void start(std::unique_ptr<DeviceFrames> device_frames) {
        device_frames_ = std::move(device_frames);
        latest_.take();  // drops a frame from the previous run
    }

    /// Whether the last published frame was taken to be shown; true before the first frame is published.
    /// Thread-safe.
    [[nodiscard]] bool taken() const { return latest_.taken(); }

    // ----- for the thread that paints

    [[nodiscard]] bool has_device_frames() const { return device_frames_ != nullptr; }

    /// Returns where to paint the next frame for publish_from_device().
    [[nodiscard]] Canvas device_canvas() const {
        return {device_frames_->memory(latest_.to_paint()), DeviceKind::cuda};
    }

    /// Makes the frame in device_canvas() the newest frame.
    void publish_from_device() {
        on_device_[slot_to_paint()] = true;
        latest_.publish();
    }

    /// Makes a copy of these pixels the newest frame.
    void publish(const unsigned char* rgba, std::int64_t bytes) {
        on_device_[slot_to_paint()] = false;
        host_frames_[slot_to_paint()].assign(rgba, rgba + bytes);
        latest_.publish();
    }

    // ----- for the thread of the window

    /// Copies the newest frame into the window's texture. Returns whether there was a new frame since the
    /// last call.
    bool upload_newest_to(Window& window) {
        const auto slot = latest_.take();
        if (!slot) return false;
        if (on_device_[static_cast<std::size_t>(*slot)])
            device_frames_->show(*slot);
        else
            window.upload(host_frames_[static_cast<std::size_t>(*slot)].data());
        return true;
    }

    /// Frees the device's frames. Must be called while the window still exists.
    void stop() { device_frames_.reset(); }

  private:
    [[nodiscard]] std::size_t slot_to_paint() const { return static_cast<std::size_t>(latest_.to_paint()); }

    LatestFrame latest_;
    std::array<std::vector<unsigned char>, 3> host_frames_;
    std::array<bool, 3> on_device_{};
    std::unique_ptr<DeviceFrames> device_frames_;
};

}  // namespace cudabook
