#include "heat_notexture/parts/workers/threads.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace cudabook {

namespace {

/// What the threads share.
class Meeting {
  public:
    explicit Meeting(int workers)
        : count_(workers),
          said_(static_cast<std::size_t>(workers)),
          stops_(static_cast<std::size_t>(workers)) {}

    [[nodiscard]] int count() const { return count_; }

    /// Waits until all workers have said something. Errors: FailedTogether, once one has failed.
    std::vector<std::string> say(int worker, std::string_view what) {
        std::unique_lock lock(mutex_);
        said_[static_cast<std::size_t>(worker)] = what;
        if (++waiting_ == count_) {
            waiting_ = 0;
            ++meetings_;
            all_said_ = said_;
            condition_.notify_all();
        } else {
            wait(lock, [this, before = meetings_] { return meetings_ != before; });
        }
        return all_said_;
    }

    /// Puts a worker's messages where the others find them.
    void post(int from, std::span<const Outgoing> messages) {
        const std::scoped_lock lock(mutex_);
        for (const Outgoing& message : messages) posted_[{from, message.to, message.tag}] = message.bytes;
        condition_.notify_all();
    }

    /// Waits for a message to a worker, and takes it.
    void take(int to, const Incoming& message) {
        std::unique_lock lock(mutex_);
        const std::tuple key{message.from, to, message.tag};
        // The messages of a worker that has failed may be gone.
        wait(lock, [&] { return !failed_ && posted_.contains(key); });
        std::memcpy(message.bytes.data(), posted_[key].data(), message.bytes.size());
        posted_.erase(key);
        condition_.notify_all();
    }

    /// Waits until a worker's messages have been taken.
    void wait_until_taken(int from, std::span<const Outgoing> messages) {
        std::unique_lock lock(mutex_);
        wait(lock, [&] {
            return std::ranges::none_of(messages, [&](const Outgoing& message) {
                return posted_.contains({from, message.to, message.tag});
            });
        });
    }

    /// A worker has ended by an error.
    void fail() {
        const std::scoped_lock lock(mutex_);
        failed_ = true;
        condition_.notify_all();
        for (const auto& stop : stops_)
            if (stop) stop();
    }
    void when_failed(int worker, std::function<void()> stop) {
        const std::scoped_lock lock(mutex_);
        if (failed_ && stop) stop();
        stops_[static_cast<std::size_t>(worker)] = std::move(stop);
    }

  private:
    template <class Done>
    void wait(std::unique_lock<std::mutex>& lock, Done done) {
        condition_.wait(lock, [&] { return failed_ || done(); });
        if (!done()) throw FailedTogether(ExitStatus::machine, "");
    }

    int count_;
    std::mutex mutex_;
    std::condition_variable condition_;
    std::vector<std::string> said_;      ///< by each worker
    std::vector<std::string> all_said_;  ///< at the last meeting
    int waiting_ = 0;
    std::uint64_t meetings_ = 0;
    std::map<std::tuple<int, int, int>, std::span<const std::byte>> posted_;  ///< by sender, receiver and tag
    bool failed_ = false;
    std::vector<std::function<void()>> stops_;  ///< of each worker
};

class Thread final : public Worker {
  public:
    Thread(Meeting& meeting, int index) : meeting_(meeting), index_(index) {}

    [[nodiscard]] int index() const override { return index_; }
    [[nodiscard]] int count() const override { return meeting_.count(); }
    [[nodiscard]] int machine() const override { return 0; }
    [[nodiscard]] int count_on_machine() const override { return meeting_.count(); }

    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        meeting_.post(index_, outgoing);
        for (const Incoming& message : incoming) meeting_.take(index_, message);
        meeting_.wait_until_taken(index_, outgoing);
    }

    std::vector<std::string> gather(std::string_view said) override { return meeting_.say(index_, said); }

    [[nodiscard]] bool takes_device_memory() const override { return false; }

    void when_another_fails(std::function<void()> stop) override {
        meeting_.when_failed(index_, std::move(stop));
    }

    /// Who stops a thread stops them all.
    void wait_for(const std::string&, const std::function<void()>& wait) override { wait(); }

    bool stop_others() override {
        meeting_.fail();
        return true;
    }

  private:
    Meeting& meeting_;
    int index_;
};

}  // namespace

ExitStatus run_on_threads(int count, const std::function<ExitStatus(Worker&)>& work) {
    Meeting meeting(count);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
    ExitStatus status = ExitStatus::ok;
    const auto run = [&](int index) {
        try {
            Thread worker(meeting, index);
            const ExitStatus own = work(worker);
            if (index == 0) status = own;
        } catch (...) {
            failures[static_cast<std::size_t>(index)] = std::current_exception();
            meeting.fail();
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (int i = 1; i < count; ++i) others.emplace_back(run, i);
            run(0);
        } catch (const std::exception& error) {
            meeting.fail();
            failures.front() = std::make_exception_ptr(MachineError(
                fmt::format("cannot start a thread for each of {} workers: {}", count, error.what())));
        }
    }
    // The error itself before those who only heard of it.
    std::exception_ptr heard;
    for (const std::exception_ptr& failure : failures) {
        if (!failure) continue;
        try {
            std::rethrow_exception(failure);
        } catch (const FailedTogether& together) {
            if (!heard || *together.what() != '\0') heard = failure;
        }
    }
    if (heard) std::rethrow_exception(heard);
    return status;
}

}  // namespace cudabook
