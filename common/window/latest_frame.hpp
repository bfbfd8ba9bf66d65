// The newest of a row of frames, handed from the thread that paints to the thread that shows; neither waits.
#pragma once

#include <atomic>
#include <optional>

namespace cudabook {

/// Three frames, known by the numbers 0, 1 and 2: one is painted, one is shown, and one lies between the two
/// threads. What was written to a frame before publish() can be read after take().
class LatestFrame {
  public:
    /// The frame to paint: it is the painter's until publish().
    [[nodiscard]] int to_paint() const { return painted_; }

    /// The painter has finished: the frame replaces the one between the threads.
    void publish() { painted_ = between_.exchange(painted_ | fresh, std::memory_order_acq_rel) & ~fresh; }

    /// The newest frame, if there is one since the last time; it is the shower's until the next take().
    std::optional<int> take() {
        if ((between_.load(std::memory_order_relaxed) & fresh) == 0) return std::nullopt;
        shown_ = between_.exchange(shown_, std::memory_order_acq_rel) & ~fresh;
        return shown_;
    }

    /// Whether the last published frame was taken; true before the first. Any thread may ask.
    [[nodiscard]] bool taken() const { return (between_.load(std::memory_order_relaxed) & fresh) == 0; }

  private:
    static constexpr int fresh = 4;  ///< beside the number of the frame between: nobody took it yet
    int painted_ = 0;
    int shown_ = 1;
    std::atomic<int> between_{2};
};

}  // namespace cudabook
