#include "emulator/engine/team.hpp"

namespace cudabook::emulation {

void Team::run(std::size_t size, const std::function<void(std::size_t)>& work) {
    const std::lock_guard alone(one_at_a_time_);
    while (members_.size() < size)
        members_.emplace_back(
            [this, member = members_.size()](const std::stop_token& stop) { serve(stop, member); });
    std::unique_lock lock(mutex_);
    work_ = &work;
    needed_ = at_work_ = size;
    ++calls_;
    has_begun_.notify_all();
    has_ended_.wait(lock, [this] { return at_work_ == 0; });
    needed_ = 0;
}

void Team::serve(const std::stop_token& stop, std::size_t member) {
    std::unique_lock lock(mutex_);
    for (std::size_t call = 0;; call = calls_) {
        if (!has_begun_.wait(lock, stop, [&] { return calls_ != call && member < needed_; })) return;
        lock.unlock();
        (*work_)(member);
        lock.lock();
        if (--at_work_ == 0) has_ended_.notify_all();
    }
}

}  // namespace cudabook::emulation
