#include "emulator/engine/grid_barrier.hpp"

namespace cudabook::emulation {

void GridBarrier::arrive() {
    const std::lock_guard lock(mutex_);
    if (++arrived_ < blocks_) return;
    arrived_ = 0;
    waiting_ = 0;
    ++phase_;
    changed_.notify_all();
}

bool GridBarrier::wait(std::uint64_t phase) {
    std::unique_lock lock(mutex_);
    if (phase_ != phase) return true;
    ++waiting_;
    look_for_standstill();
    changed_.wait(lock, [&] { return phase_ != phase || stopped_; });
    return phase_ != phase;
}

void GridBarrier::end_block() {
    const std::lock_guard lock(mutex_);
    ++ended_;
    look_for_standstill();
}

void GridBarrier::give_up() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

/// Stops the barrier if all blocks wait or have ended: none can arrive, so the phase would never end.
void GridBarrier::look_for_standstill() {
    if (waiting_ == 0 || waiting_ + ended_ < blocks_) return;
    stopped_ = true;
    changed_.notify_all();
}

}  // namespace cudabook::emulation
