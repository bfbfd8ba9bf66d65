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

    /// Notes that a block has arrived. A block's first arrival is in phase 0, its second arrival in phase 1,
    /// and so on. A phase ends when all blocks have arrived.
    void arrive();

    /// Waits until this phase has ended; it must be the phase of the block's last arrival. Returns false if
    /// the phase will never end, because a block has failed or because all blocks that have not ended wait.
    bool wait(std::uint64_t phase);

    /// Notes that a block has ended. An ended block does not arrive again.
    void end_block();
    [[nodiscard]] std::uint64_t ended_blocks() const { return ended_; }

    /// Ends the waits of all blocks. Call this when a block has failed.
    void give_up();

    /// For ThreadSanitizer: returns the address at which blocks release and acquire in this phase. Even and
    /// odd phases have different addresses, because a block may already be in the next phase while others
    /// have not left this phase yet.
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
