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

/// The state that the threads share.
class Rendezvous {
  public:
    explicit Rendezvous(int workers)
        : count_(workers),
          given_(static_cast<std::size_t>(workers)),
          stops_(static_cast<std::size_t>(workers)) {}

    [[nodiscard]] int count() const { return count_; }

    /// All-gather: waits until all workers have given a text. Errors: FailedTogether if a worker has failed.
    std::vector<std::string> all_gather(int worker, std::string_view text) {
        std::unique_lock lock(mutex_);
        given_[static_cast<std::size_t>(worker)] = text;
        if (++waiting_ == count_) {
            waiting_ = 0;
            ++gathers_;
            gathered_ = given_;
            condition_.notify_all();
        } else {
            wait(lock, [this, before = gathers_] { return gathers_ != before; });
        }
        return gathered_;
    }

    /// Posts a worker's messages for their receivers.
    void post(int from, std::span<const Outgoing> messages) {
        const std::scoped_lock lock(mutex_);
        for (const Outgoing& message : messages) posted_[{from, message.to, message.tag}] = message.bytes;
        condition_.notify_all();
    }

    /// Waits for a message to a worker, and copies it there.
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

    /// Called when a worker has ended by an error: stops the other workers.
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
    std::vector<std::string> given_;     ///< the texts of the workers
    std::vector<std::string> gathered_;  ///< the texts of the last all-gather
    int waiting_ = 0;
    std::uint64_t gathers_ = 0;
    std::map<std::tuple<int, int, int>, std::span<const std::byte>> posted_;  ///< by sender, receiver and tag
    bool failed_ = false;
    std::vector<std::function<void()>> stops_;  ///< the function that stops each worker
};

class Thread final : public Worker {
  public:
    Thread(Rendezvous& rendezvous, int index) : rendezvous_(rendezvous), index_(index) {}

    [[nodiscard]] int index() const override { return index_; }
    [[nodiscard]] int count() const override { return rendezvous_.count(); }
    [[nodiscard]] int machine() const override { return 0; }
    [[nodiscard]] int count_on_machine() const override { return rendezvous_.count(); }

    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        rendezvous_.post(index_, outgoing);
        for (const Incoming& message : incoming) rendezvous_.take(index_, message);
        rendezvous_.wait_until_taken(index_, outgoing);
    }

    std::vector<std::string> all_gather(std::string_view said) override {
        return rendezvous_.all_gather(index_, said);
    }

    [[nodiscard]] bool takes_device_memory() const override { return false; }

    void when_another_fails(std::function<void()> stop) override {
        rendezvous_.when_failed(index_, std::move(stop));
    }

    /// Calls wait() without reporting a long wait: a signal that suspends a process suspends all its threads,
    /// so no worker waits for a suspended worker.
    void wait_for(const std::string&, const std::function<void()>& wait) override { wait(); }

    bool stop_others() override {
        rendezvous_.fail();
        return true;
    }

  private:
    Rendezvous& rendezvous_;
    int index_;
};

}  // namespace

ExitStatus run_on_threads(int count, const std::function<ExitStatus(Worker&)>& work) {
    Rendezvous rendezvous(count);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
    ExitStatus status = ExitStatus::ok;
    const auto run = [&](int index) {
        try {
            Thread worker(rendezvous, index);
            const ExitStatus own = work(worker);
            if (index == 0) status = own;
        } catch (...) {
            failures[static_cast<std::size_t>(index)] = std::current_exception();
            rendezvous.fail();
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (int i = 1; i < count; ++i) others.emplace_back(run, i);
            run(0);
        } catch (const std::exception& error) {
            rendezvous.fail();
            failures.front() = std::make_exception_ptr(MachineError(
                fmt::format("cannot start a thread for each of {} workers: {}", count, error.what())));
        }
    }
    // Finds the original error, not the error of a worker that stopped because of it.
    std::exception_ptr first;
    for (const std::exception_ptr& failure : failures) {
        if (!failure) continue;
        try {
            std::rethrow_exception(failure);
        } catch (const FailedTogether& together) {
            if (!first || *together.what() != '\0') first = failure;
        }
    }
    if (first) std::rethrow_exception(first);
    return status;
}

}  // namespace cudabook
