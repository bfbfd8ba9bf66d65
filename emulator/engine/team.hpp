// Threads of the host that work at the same time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace cudabook::emulation {

/// A team of host threads. The threads live on after run(), for its next call, and so do their thread_local
/// objects, such as stacks of fibers.
class Team {
  public:
    Team() = default;
    ~Team() = default;
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Calls work(i) for each i < size, all at the same time, and waits until all calls have returned. `work`
    /// must not throw. Throws std::system_error if the host cannot start enough threads; `work` is then not
    /// called.
    void run(std::size_t size, const std::function<void(std::size_t)>& work);

    [[nodiscard]] std::size_t size() const { return members_.size(); }

  private:
    void serve(const std::stop_token& stop, std::size_t member);

    std::mutex one_at_a_time_;
    std::mutex mutex_;
    std::condition_variable_any has_begun_;
    std::condition_variable has_ended_;
    std::size_t calls_ = 0;
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::size_t needed_ = 0;
    std::size_t at_work_ = 0;
    std::vector<std::jthread> members_;
};

}  // namespace cudabook::emulation
