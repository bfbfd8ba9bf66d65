#include "emulator/engine/cluster.hpp"

#include "emulator/checks/identity.hpp"
#include "emulator/engine/shared_memory.hpp"
#include "emulator/engine/watchdog.hpp"

namespace cudabook::emulation {

bool Cluster::begin_block(unsigned rank, std::size_t dynamic_bytes) {
    const auto meet_others = [this] {
        progress.is_at_grid_barrier = true;
        const bool have_met = meet();
        progress.is_at_grid_barrier = false;
        return have_met;
    };
    if (!meet_others()) return false;
    begin_shared_memory(dynamic_bytes, this);
    blocks_[rank].memory = &shared_memory_here();
    blocks_[rank].has_ended = false;
    return meet_others();
}

/// Waits until the host threads of all blocks have called this. Returns false if a block has failed.
bool Cluster::meet() {
    std::unique_lock lock(mutex_);
    if (++met_ < blocks()) {
        changed_.wait(lock, [this, before = meetings_] { return meetings_ != before || stopped_; });
        return !stopped_;
    }
    met_ = 0;
    forget_uses(places_.data(), sizeof places_);  // uses by the previous cluster
    threads_ = all_threads_;
    arrived_ = 0;
    ended_ = 0;
    ++meetings_;
    changed_.notify_all();
    return !stopped_;
}

void Cluster::end_block(unsigned rank) {
    blocks_[rank].has_ended = true;
    end_shared_memory();
    const std::lock_guard lock(mutex_);
    ++ended_;
    look_for_standstill();
}

void Cluster::arrive() {
    const std::lock_guard lock(mutex_);
    ++arrived_;
    end_phase_if_all_have_arrived();
}

void Cluster::end_thread(std::optional<std::uint64_t> arrived_in) {
    const std::lock_guard lock(mutex_);
    --threads_;
    if (arrived_in == phase_) --arrived_;
    end_phase_if_all_have_arrived();
}

void Cluster::end_phase_if_all_have_arrived() {
    if (arrived_ == 0 || arrived_ < threads_) return;
    arrived_ = 0;
    waiting_ = 0;
    ++phase_;
    changed_.notify_all();
}

bool Cluster::await_end_of(std::uint64_t phase) {
    std::unique_lock lock(mutex_);
    if (phase_ != phase) return true;
    ++waiting_;
    look_for_standstill();
    changed_.wait(lock, [&] { return phase_ != phase || stopped_; });
    return phase_ != phase;
}

void Cluster::give_up() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

/// Stops the cluster if all blocks wait or have ended: no thread can arrive, so the phase would never end.
void Cluster::look_for_standstill() {
    if (waiting_ == 0 || waiting_ + ended_ < blocks()) return;
    stopped_ = true;
    changed_.notify_all();
}

}  // namespace cudabook::emulation
