// A lock-free triple buffer: passes the newest frame from the thread that paints to the thread that shows.
#pragma once

#include <atomic>
#include <optional>

namespace cudabook {

/// Frames 0, 1 and 2: one is painted, one is shown, and one waits between the two threads. What was written
/// to a frame before publish() can be read after take().
class LatestFrame {
  public:
    /// Returns the frame to paint, which belongs to the painting thread until publish().
    [[nodiscard]] int to_paint() const { return painted_; }

    /// Publishes the painted frame, which replaces the waiting frame.
    void publish() { painted_ = between_.exchange(painted_ | fresh, std::memory_order_acq_rel) & ~fresh; }

    /// Returns the newest frame if it is new since the last call, else nullopt. The frame belongs to the
    /// showing thread until take() returns another frame.
    std::optional<int> take() {
        if ((between_.load(std::memory_order_relaxed) & fresh) == 0) return std::nullopt;
        shown_ = between_.exchange(shown_, std::memory_order_acq_rel) & ~fresh;
        return shown_;
    }

    /// Returns whether the last published frame was taken; true before the first frame is published.
    /// Thread-safe.
    [[nodiscard]] bool taken() const { return (between_.load(std::memory_order_relaxed) & fresh) == 0; }

  private:
    static constexpr int fresh = 4;  ///< a flag in between_: the frame was not taken yet
    int painted_ = 0;
    int shown_ = 1;
    std::atomic<int> between_{2};
};

}  // namespace cudabook
