#include "emulator/runtime/pending_work.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "emulator/checks/fail_at_end.hpp"
#include "emulator/checks/source_line.hpp"
#include "emulator/checks/stream_races.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/environment.hpp"

namespace cudabook::emulation {

namespace {

/// If more pieces of work than this are pending, the oldest piece is done.
constexpr std::size_t most_kept = 1024;

/// A thread of the host that has enqueued work.
struct HostThread {
    pid_t id;
    std::chrono::nanoseconds processor_time;  ///< the thread's CPU time when it enqueued the work
};

struct Work {
    Task task;
    const GpuState* gpu;
    std::vector<WorkNumber> after;
    HostThread enqueued_by;
    [[no_unique_address]] Callers enqueued_from;
    bool has_begun = false;
    [[no_unique_address]] WatchedWork watched{};
    int idle_looks = 0;  ///< consecutive looks at which the thread slept or was in finish(); for ready work
};

struct PendingWork {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<WorkNumber, Work> all;  ///< the work that is not done
    std::multiset<pid_t> waiting;    ///< the threads in finish()
    WorkNumber last = 0;
    std::atomic<pid_t> process = 0;  ///< the process that has enqueued the work
    std::atomic<bool> has_ended = false;
};

PendingWork& pending() {
    static auto* const the = new PendingWork;  // lasts until the process ends
    return *the;
}

std::atomic<bool> all_block = false;
thread_local bool doing_work = false;

bool is_one(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && std::string_view(value) == "1";
}

pid_t this_thread() {
    thread_local const auto id = gettid();
    return id;
}

std::chrono::nanoseconds processor_time(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// While this object lives, this thread does a piece of work. The caller holds the mutex when the object is
/// made and destroyed; in between, the mutex is unlocked.
class Doing {
  public:
    Doing(std::unique_lock<std::mutex>& lock, std::map<WorkNumber, Work>::iterator work)
        : lock_(lock), work_(work) {
        work_->second.has_begun = true;
        lock_.unlock();
        doing_work = true;
    }
    ~Doing() {
        Task ended;
        lock_.lock();
        std::swap(ended, work_->second.task);
        lock_.unlock();
        ended = {};
        doing_work = false;
        lock_.lock();
        pending().all.erase(work_);
        if (pending().all.empty()) note_last_pending(0);
        pending().changed.notify_all();
    }
    Doing(const Doing&) = delete;
    Doing& operator=(const Doing&) = delete;

  private:
    std::unique_lock<std::mutex>& lock_;
    std::map<WorkNumber, Work>::iterator work_;
};

/// Does a piece of work that has not begun, and whose predecessors are done. The caller holds the mutex.
void begin_and_end(std::unique_lock<std::mutex>& lock, std::map<WorkNumber, Work>::iterator work) {
    const Work& begun = work->second;
    const Doing doing(lock, work);
    const DoingWatched watched(&begun.watched);
    const CurrentGpu current(*begun.gpu);
    if (begun.gpu->lasting_error() == cudaSuccess || begun.task.despite_failure) run(begun.task);
}

/// Returns the numbers of the pending work that has these numbers or must be done before it. The caller
/// holds the mutex.
std::set<WorkNumber> with_all_before(std::vector<WorkNumber> numbers) {
    std::set<WorkNumber> found;
    while (!numbers.empty()) {
        const WorkNumber number = numbers.back();
        numbers.pop_back();
        const auto work = pending().all.find(number);
        if (work == pending().all.end() || !found.insert(number).second) continue;
        numbers.insert(numbers.end(), work->second.after.begin(), work->second.after.end());
    }
    return found;
}

/// Returns the numbers in an order in which the work can be done: ascending or, with a schedule's seed, an
/// order that the seed determines. The caller holds the mutex.
std::vector<WorkNumber> in_order(std::set<WorkNumber> numbers) {
    const auto seed = schedule_seed();
    if (!seed) return {numbers.begin(), numbers.end()};
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(*seed + *numbers.rbegin()));
    std::vector<WorkNumber> order;
    while (!numbers.empty()) {
        std::vector<WorkNumber> ready;
        for (const WorkNumber number : numbers)
            if (std::ranges::none_of(pending().all.at(number).after,
                                     [&](WorkNumber before) { return numbers.contains(before); }))
                ready.push_back(number);
        order.push_back(ready[random() % ready.size()]);
        numbers.erase(order.back());
    }
    return order;
}

/// While this object lives, this thread counts as being in finish(). The caller holds the mutex when the
/// object is made and destroyed.
class Waiting {
  public:
    Waiting() : this_one_(pending().waiting.insert(this_thread())) {}
    ~Waiting() { pending().waiting.erase(this_one_); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    std::multiset<pid_t>::iterator this_one_;
};

bool is_over(WorkNumber number) { return !pending().all.contains(number); }

/// Does what finish() does. The caller holds the mutex.
void finish_locked(std::unique_lock<std::mutex>& lock, const std::vector<WorkNumber>& numbers) {
    if (pending().has_ended) return;
    const auto wanted = with_all_before(numbers);
    if (wanted.empty()) return;
    const Waiting waiting;
    // Another thread may be doing the work, or work that must be done before.
    for (const WorkNumber number : in_order(wanted)) {
        pending().changed.wait(lock, [&] {
            const auto now = pending().all.find(number);
            return now == pending().all.end() ||
                   (!now->second.has_begun && std::ranges::all_of(now->second.after, is_over));
        });
        const auto now = pending().all.find(number);
        if (now != pending().all.end()) begin_and_end(lock, now);
    }
}

#ifndef __EMSCRIPTEN__  // a page's program has no second thread
/// Returns whether a thread of the host sleeps, or has ended.
bool sleeps(const HostThread& thread) {
    std::ifstream file(fmt::format("/proc/self/task/{}/stat", thread.id));
    std::string text;
    if (!std::getline(file, text)) return true;
    const std::size_t name_end = text.rfind(')');
    return name_end != std::string::npos && name_end + 2 < text.size() && text[name_end + 2] == 'S';
}

/// Returns whether the thread has used more than a second of CPU time since it enqueued the work. If so, it
/// may be waiting in a loop for a value that the work writes.
bool is_busy(const HostThread& thread) {
    // Linux's clock for a thread's CPU time, made from its id (clock_getcpuclockid(3) makes a process's).
    const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread.id) << 3U) | 6U);
    return processor_time(clock) - thread.processor_time > std::chrono::seconds(1);
}

/// A thread that does pending work for which the host waits without calling CUDA: a host thread sleeps
/// until a function that the work calls wakes it, or reads memory in a loop until the work has written to
/// it. The helper also does work if its host thread has been in finish() for long: the kernel for which
/// that thread waits may in turn wait for this work.
class Helper {
  public:
    Helper() {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) sigdelset(&all, fault);
        pthread_sigmask(SIG_SETMASK, &all, &before);  // other signals are for the program's own threads
        thread_ = std::jthread([](const std::stop_token& stop) { help(stop); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    ~Helper() {
        pending().has_ended = true;
        thread_.request_stop();
        if (thread_.get_id() == std::this_thread::get_id()) thread_.detach();  // the work has called exit()
    }
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

  private:
    static void help(const std::stop_token& stop) {
        std::condition_variable_any never;
        std::unique_lock lock(pending().mutex);
        while (!stop.stop_requested()) {
            never.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
            if (stop.stop_requested()) return;
            const auto needed =
                std::ranges::find_if(pending().all, [](auto& entry) { return is_needed(entry.second); });
            if (needed != pending().all.end()) finish_locked(lock, {needed->first});
        }
    }

    /// Returns true if the helper is to do the work. Call this once in each look: it counts the looks.
    static bool is_needed(Work& work) {
        constexpr int looks_at_a_sleeping_host = 10;
        constexpr int looks_at_a_waiting_host = 50;
        if (work.has_begun || !std::ranges::all_of(work.after, is_over)) return false;
        if (pending().waiting.contains(work.enqueued_by.id))
            return ++work.idle_looks >= looks_at_a_waiting_host;
        if (is_busy(work.enqueued_by)) return true;
        work.idle_looks = sleeps(work.enqueued_by) ? work.idle_looks + 1 : 0;
        return work.idle_looks >= looks_at_a_sleeping_host;
    }

    std::jthread thread_;
};
#endif

/// Returns a text for reports that says what the work is.
std::string text_of(const Task& task) {
    if (const auto* const kernel = std::get_if<KernelTask>(&task.parameters))
        return fmt::format("the launch of {}", name_of(kernel->launch.call.kernel));
    switch (task.type) {
        case cudaGraphNodeTypeHost:
            return "the call of a host function";
        case cudaGraphNodeTypeGraph:
            return "the launch of a graph";
        case cudaGraphNodeTypeMemcpy:
            return "a copy";
        case cudaGraphNodeTypeMemset:
            return "a fill";
        case cudaGraphNodeTypeMemFree:
            return "cudaFreeAsync()";
        default:
            return "work";
    }
}

/// Returns true if this work is to be reported if it is not done when the program ends.
bool is_missed(const Task& task) {
    return task.type == cudaGraphNodeTypeKernel || task.type == cudaGraphNodeTypeHost ||
           task.type == cudaGraphNodeTypeGraph;
}

/// Runs after the destructors of all objects, because they may wait for work, too.
[[gnu::destructor]] void print_what_was_not_done() {
    if (pending().process != getpid()) return;  // a forked process
    const std::lock_guard lock(pending().mutex);
    for (const auto& [number, work] : pending().all) {
        if (work.has_begun || work.gpu->lasting_error() != cudaSuccess) continue;
        if (!is_missed(work.task)) continue;
        std::fflush(stdout);
        fail_at_end_if_checked();
        return print_line(
            fmt::format("the program ended before {}{} was done: it must wait, for example by "
                        "cudaDeviceSynchronize(), or what the GPU computes and prints may be lost",
                        text_of(work.task), work.enqueued_from.at_line()));
    }
}

}  // namespace

bool launches_block() {
    static const bool asked = is_one("CUDABOOK_LAUNCH_BLOCKING") || is_one("CUDA_LAUNCH_BLOCKING");
    return asked || all_block;
}

void let_launches_block() { all_block = true; }

bool is_doing_work() { return doing_work || is_cuda_thread(); }

#if CUDABOOK_THREAD_SANITIZER
namespace {

/// Finds the work that a GPU may do at the same time as new work. The caller holds the mutex.
void find_beside(WorkNumber number, Work& work) {
    const auto before = with_all_before(work.after);
    work.watched.self = std::make_shared<WorkOfReport>(static_cast<std::uint32_t>(number), time_of_new_work(),
                                                       text_of(work.task), work.enqueued_from);
    for (auto& [other_number, other] : pending().all) {
        if (other_number == number || before.contains(other_number)) continue;
        work.watched.beside.push_back(other.watched.self);
        if (!other.has_begun) other.watched.beside.push_back(work.watched.self);
    }
}

}  // namespace
#endif

WorkNumber keep(Task task, const GpuState& gpu, std::vector<WorkNumber> after) {
#ifndef __EMSCRIPTEN__
    static const Helper helper;
#endif
    static_cast<void>(schedule_seed());  // reports a malformed seed now, not when the work is done
    const HostThread thread{this_thread(), processor_time(CLOCK_THREAD_CPUTIME_ID)};
    auto callers = Callers::here();
    const std::lock_guard lock(pending().mutex);
    if (pending().process == 0) pending().process = getpid();
    const WorkNumber number = ++pending().last;
    [[maybe_unused]] const auto kept =
        pending()
            .all.emplace(number, Work{std::move(task), &gpu, std::move(after), thread, std::move(callers)})
            .first;
#if CUDABOOK_THREAD_SANITIZER
    find_beside(number, kept->second);
    note_last_pending(number);
#endif
    return number;
}

void finish_what_is_too_much() {
    std::unique_lock lock(pending().mutex);
    if (pending().all.size() > most_kept) finish_locked(lock, {pending().all.begin()->first});
}

bool is_done(WorkNumber number) {
    const std::lock_guard lock(pending().mutex);
    return is_over(number);
}

namespace {

/// Does what finish() does, for all work for which is_wanted(work) is true.
template <class IsWanted>
void finish_if(const IsWanted& is_wanted) {
    if (is_doing_work() || pending().process != getpid()) return;
    std::unique_lock lock(pending().mutex);
    std::vector<WorkNumber> numbers;
    for (const auto& [number, work] : pending().all)
        if (is_wanted(work)) numbers.push_back(number);
    finish_locked(lock, numbers);
}

}  // namespace

void finish(const std::vector<WorkNumber>& numbers) {
    if (is_doing_work() || pending().process != getpid()) return;
    std::unique_lock lock(pending().mutex);
    finish_locked(lock, numbers);
}

void finish_all_of(const GpuState& gpu) {
    finish_if([&gpu](const Work& work) { return work.gpu == &gpu; });
}

void finish_all() {
    finish_if([](const Work&) { return true; });
}

}  // namespace cudabook::emulation
