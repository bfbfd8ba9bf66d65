// The frames of an animation on their way from the thread that paints them to the window, through host memory
// or within a device. C++17.
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

/// Three frames: one is painted, one is shown, and one waits in between; neither thread waits for the other.
class FrameExchange {
  public:
    /// Begins anew; `device_frames` may be null: then every frame comes through the host. Neither thread may
    /// be at work.
    void start(std::unique_ptr<DeviceFrames> device_frames) {
        device_frames_ = std::move(device_frames);
        latest_.take();  // of the last time
    }

    /// Whether the last frame that was published is shown; true before the first. Any thread may ask.
    [[nodiscard]] bool taken() const { return latest_.taken(); }

    // ----- for the thread that paints

    [[nodiscard]] bool has_device_frames() const { return device_frames_ != nullptr; }

    /// Where to paint the next frame that is published from the device.
    [[nodiscard]] Canvas device_canvas() const {
        return {device_frames_->memory(latest_.to_paint()), DeviceKind::cuda};
    }

    /// What was painted to device_canvas() is the newest frame.
    void publish_from_device() {
        on_device_[slot_to_paint()] = true;
        latest_.publish();
    }

    /// A copy of these pixels is the newest frame.
    void publish(const unsigned char* rgba, std::int64_t bytes) {
        on_device_[slot_to_paint()] = false;
        host_frames_[slot_to_paint()].assign(rgba, rgba + bytes);
        latest_.publish();
    }

    // ----- for the thread of the window

    /// Brings the newest frame into the window's texture. Whether there was one since the last time.
    bool bring_newest_to(Window& window) {
        const auto slot = latest_.take();
        if (!slot) return false;
        if (on_device_[static_cast<std::size_t>(*slot)])
            device_frames_->show(*slot);
        else
            window.upload(host_frames_[static_cast<std::size_t>(*slot)].data());
        return true;
    }

    /// Lets go of the device's frames, while the window is still there.
    void stop() { device_frames_.reset(); }

  private:
    [[nodiscard]] std::size_t slot_to_paint() const { return static_cast<std::size_t>(latest_.to_paint()); }

    LatestFrame latest_;
    std::array<std::vector<unsigned char>, 3> host_frames_;
    std::array<bool, 3> on_device_{};
    std::unique_ptr<DeviceFrames> device_frames_;
};

}  // namespace cudabook
