// The barrier of a cooperative grid, whose blocks run at the same time, each in a thread of the host.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cudabook::emulation {

class GridBarrier {
  public:
    explicit GridBarrier(std::uint64_t blocks) : blocks_(blocks) {}

    /// A block arrives. Its first arrival is in phase 0, its second arrival in phase 1, and so on. A phase
    /// ends when all blocks have arrived.
    void arrive();

    /// Waits until this phase, in which the block has last arrived, has ended. Returns false if the phase
    /// will never end: a block has failed, or all blocks that have not ended wait.
    bool wait(std::uint64_t phase);

    /// A block has ended. It arrives no more.
    void end_block();
    [[nodiscard]] std::uint64_t ended_blocks() const { return ended_; }

    /// A block has failed: ends the waits of the others.
    void give_up();

    /// Returns the address at which blocks release and acquire in this phase, for ThreadSanitizer. Two
    /// addresses take turns: a block may be in the next phase while others have not left this phase yet.
    [[nodiscard]] const void* place(std::uint64_t phase) const { return &places_[phase % 2]; }

  private:
    void look_for_standstill();

    const std::uint64_t blocks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t phase_ = 0;
    std::uint64_t arrived_ = 0;
    std::uint64_t waiting_ = 0;
    std::uint64_t ended_ = 0;
    bool stopped_ = false;
    std::array<char, 2> places_{};
};

}  // namespace cudabook::emulation
