// Compiled where there is MPI.
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/program/language.hpp"
#include "heat_notexture/parts/workers/processes.hpp"

namespace cudabook {

namespace {

/// Returns a size as an int, which MPI counts with. Errors: MachineError if the size is too large.
int count_of(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw MachineError("a message between processes is longer than MPI can send");
    return static_cast<int>(bytes);
}

/// Reports on stderr whom a process waits for, once it has waited ten seconds.
class Watchdog {
  public:
    /// name: the process's name in the report.
    explicit Watchdog(std::string name)
        : name_(std::move(name)), thread_([this](const std::stop_token& stop) { look(stop); }) {}

    template <class Wait>
    void watch(const std::string& whom, Wait wait) {
        set(whom);
        const std::unique_ptr<Watchdog, void (*)(Watchdog*)> end(this, [](Watchdog* own) { own->set(""); });
        wait();
    }

  private:
    void set(const std::string& whom) {
        const std::scoped_lock lock(mutex_);
        whom_ = whom;
        ++waits_;
    }

    void look(const std::stop_token& stop) {
        constexpr int patience = 10;
        std::uint64_t wait = 0;
        int seconds = 0;
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            ended_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
            seconds = wait == waits_ && !whom_.empty() ? seconds + 1 : 0;
            wait = waits_;
            if (seconds != patience) continue;
            const std::string line =
                in_language_of_user(fmt::format("{} has waited {} s for {}", name_, patience, whom_)) + '\n';
            lock.unlock();  // the reader of stderr may take long
            std::fputs(line.c_str(), stderr);
            lock.lock();
        }
    }

    std::string name_;
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::string whom_;         ///< whom the process waits for; empty if it does not wait
    std::uint64_t waits_ = 0;  ///< the waits begun plus the waits ended
    std::jthread thread_;
};

/// A worker that is an MPI process. If a call of MPI fails, MPI ends all processes itself.
class Process final : public Worker {
  public:
    explicit Process(std::string_view program) {
        MPI_Comm_rank(MPI_COMM_WORLD, &index_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
        MPI_Comm on_machine = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, index_, MPI_INFO_NULL, &on_machine);
        MPI_Comm_size(on_machine, &count_on_machine_);
        machine_ = index_;
        MPI_Bcast(&machine_, 1, MPI_INT, 0, on_machine);
        MPI_Comm_free(&on_machine);
        watchdog_.emplace(fmt::format("{}: process {} of {}", program, index_, count_));
    }

    [[nodiscard]] int index() const override { return index_; }
    [[nodiscard]] int count() const override { return count_; }
    [[nodiscard]] int machine() const override { return machine_; }
    [[nodiscard]] int count_on_machine() const override { return count_on_machine_; }

    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        std::vector<MPI_Request> requests;
        for (const Incoming& message : incoming)
            MPI_Irecv(message.bytes.data(), count_of(message.bytes.size()), MPI_BYTE, message.from,
                      message.tag, MPI_COMM_WORLD, &requests.emplace_back());
        for (const Outgoing& message : outgoing)
            MPI_Isend(message.bytes.data(), count_of(message.bytes.size()), MPI_BYTE, message.to, message.tag,
                      MPI_COMM_WORLD, &requests.emplace_back());
        watchdog_->watch(named(outgoing, incoming), [&requests] {
            MPI_Waitall(count_of(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        });
    }

    std::vector<std::string> all_gather(std::string_view said) override {
        const int own = count_of(said.size());
        std::vector<int> sizes(static_cast<std::size_t>(count_));
        std::vector<int> begins(sizes.size());
        std::string all;
        watchdog_->watch("the other processes", [&] {
            MPI_Allgather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
            all.resize(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
            count_of(all.size());
            std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
            MPI_Allgatherv(said.data(), own, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE,
                           MPI_COMM_WORLD);
        });
        std::vector<std::string> each;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            each.push_back(
                all.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(sizes[i])));
        return each;
    }

    /// Open MPI and MPICH have a function that says whether they take device memory.
    [[nodiscard]] bool takes_device_memory() const override {
#ifdef MPIX_CUDA_AWARE_SUPPORT
        return MPIX_Query_cuda_support() == 1;
#else
        return false;
#endif
    }

    void wait_for(const std::string& whom, const std::function<void()>& wait) override {
        watchdog_->watch(whom, wait);
    }

    /// Both do nothing, because end_all() ends the processes even while they wait.
    void when_another_fails(std::function<void()>) override {}
    bool stop_others() override { return false; }

    /// Ends all processes with this exit status, for an error that the other processes do not know of.
    [[noreturn]] static void end_all(ExitStatus status) {
        MPI_Abort(MPI_COMM_WORLD, static_cast<int>(status));
        std::abort();
    }

  private:
    /// The names of the other processes in an exchange: "process 1", "processes 1, 4".
    static std::string named(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) {
        std::set<int> others;
        for (const Outgoing& message : outgoing) others.insert(message.to);
        for (const Incoming& message : incoming) others.insert(message.from);
        if (others.size() == 1) return fmt::format("process {}", *others.begin());
        return fmt::format("processes {}", fmt::join(others, ", "));
    }

    int index_ = 0;
    int count_ = 1;
    int machine_ = 0;
    int count_on_machine_ = 1;
    std::optional<Watchdog> watchdog_;
};

}  // namespace

ExitStatus run_on_processes(std::string_view program, const std::function<ExitStatus(Worker&)>& work) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    Process worker(program);
    ExitStatus status = ExitStatus::ok;
    const auto say = [program](const char* what) {
        fmt::print(stderr, "{}: {}\n", program, in_language_of_user(what));
        std::fflush(nullptr);
    };
    const auto end_all = [&](const char* what, ExitStatus ending) {
        say(fmt::format("process {} of {}: {}", worker.index(), worker.count(), what).c_str());
        Process::end_all(ending);
    };
    try {
        status = work(worker);
    } catch (const FailedTogether& failure) {
        if (*failure.what() != '\0') say(failure.what());
        status = failure.status();
    } catch (const UsageError& error) {
        end_all(error.what(), ExitStatus::usage);
    } catch (const std::exception& error) {
        end_all(error.what(), ExitStatus::machine);
    }
    MPI_Finalize();
    return status;
}

}  // namespace cudabook
