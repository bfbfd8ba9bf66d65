#include "emulator/engine/watchdog.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "emulator/checks/sanitizer.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/multiprocessor.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/engine/shared_memory.hpp"
#include "emulator/runtime/arena.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/environment.hpp"

namespace cudabook::emulation {

namespace {

/// An operating system's thread that runs blocks of a launch.
struct Running {
    const void* kernel;
    const void* launch;
    pthread_t thread;
    const Progress* progress;
};

std::mutex running_mutex;
std::vector<Running> running;

/// The name of the kernel that runs in this thread; null if none runs.
constinit thread_local const char* kernel_here = nullptr;

/// Returns the kernel's name, which is never freed. The caller holds running_mutex.
const char* lasting_name(const void* kernel) {
    static auto* const names = new std::unordered_map<const void*, std::string>();
    std::string& name = (*names)[kernel];
    if (name.empty()) name = name_of(kernel);
    return name.c_str();
}

/// A line for stderr. It is made and written without heap memory and locks, because a signal handler may
/// interrupt the program while the program uses these. A line that is too long is cut.
class Line {
  public:
    /// Begins the line with the program's name.
    Line() { add(program_invocation_short_name).add(": "); }
    explicit Line(std::string_view begin) { add(begin); }
    Line& add(std::string_view text) {
        size_ += text.copy(text_.data() + size_, most - size_);
        return *this;
    }
    template <std::integral T>
    Line& add(T number, int base = 10) {
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
        return add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
    }
    template <class Index>
    Line& add_index(const Index& index) {
        return add("(").add(index.x).add(", ").add(index.y).add(", ").add(index.z).add(")");
    }
    /// Adds the kernel, the block and the thread that run here.
    Line& add_place() {
        return add(kernel_here).add(", block ").add_index(blockIdx).add(", thread ").add_index(threadIdx);
    }
    void write() {
        text_[size_] = '\n';
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text_.data(), size_ + 1);
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), size_}; }

  private:
    static constexpr std::size_t most = 2047;

    std::array<char, most + 1> text_{};
    std::size_t size_ = 0;
};

// ----- Ends the process

[[noreturn]] void end_process(Line& line) {
    line.write();
    // The line is written already. This flushes the program's output, unless a thread holds stdout's lock.
    if (ftrylockfile(stdout) == 0) std::fflush(stdout);
    _exit(3);
}

// ----- Signals. Their handlers run on a separate stack, because a fiber's stack may be used up.

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE};
struct sigaction previous_actions[std::size(fault_signals)];

struct SignalStack {
    SignalStack() {
        stack_t now{};
        if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
        memory = std::make_unique<char[]>(bytes);
        stack_t stack{};
        stack.ss_sp = memory.get();
        stack.ss_size = bytes;
        sigaltstack(&stack, nullptr);
    }
    ~SignalStack() {
        if (memory == nullptr) return;
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

    static constexpr std::size_t bytes = std::size_t{64} << 10U;
    std::unique_ptr<char[]> memory;
};

Line& add_array(Line& line, const BesideArray& place) {
    line.add(place.distance);
    switch (place.where) {
        case BesideArray::Where::before:
            line.add(" bytes before");
            break;
        case BesideArray::Where::behind:
            line.add(" bytes behind the end of");
            break;
        case BesideArray::Where::freed:
        case BesideArray::Where::within:
            line.add(" bytes into");
            break;
    }
    line.add(" an array of ").add(place.bytes).add(" bytes");
    return place.where == BesideArray::Where::freed ? line.add(" that has been freed") : line;
}

constinit thread_local unsigned null_argument_here = 0;
constinit std::atomic<std::size_t> failed_allocation = 0;

/// Adds the number of the argument that may be the reason for a fault near address 0.
void add_null_argument(Line& line, std::uintptr_t address) {
    constexpr std::uintptr_t near = std::uintptr_t{1} << 20U;
    if (address >= near || null_argument_here == 0) return;
    line.add("; argument ").add(null_argument_here).add(" is a null pointer");
    if (failed_allocation != 0)
        line.add(": cudaMalloc() of ").add(failed_allocation.load()).add(" bytes has failed");
}

/// Host code has made the fault. Writes what is known of it. Afterwards the instruction runs again, and the
/// previous handler gets the signal.
void on_fault_of_host(int signal, const siginfo_t& info) {
    const auto* const which = std::ranges::find(fault_signals, signal);
    sigaction(signal, &previous_actions[which - std::begin(fault_signals)], nullptr);
    if (info.si_code <= 0) raise(signal);
    if (const auto [error, why] = kept_error(); error != cudaSuccess) {
        Line line;
        line.add(why.empty() ? "a call of CUDA failed" : why).add(" (").add(cudaGetErrorName(error));
        line.add(", for which the program has not asked)").write();
    }
    const auto array = beside_which_array(reinterpret_cast<std::uintptr_t>(info.si_addr));
    if (signal != SIGSEGV || !array) return;
    Line line;
    if (info.si_code != SEGV_PKUERR)  // memory of a guard, or of a freed array of any kind
        add_array(line.add("the host uses memory "), *array).write();
    else
        add_array(line.add("the host uses memory of a GPU, "), *array)
            .add(": cudaMemcpy() copies it, and cudaMallocManaged() gives memory for both")
            .write();
}

void on_fault(int signal, siginfo_t* info, void* /*context*/) {
    if (kernel_here == nullptr) {
        on_fault_of_host(signal, *info);
        return;
    }
    static std::atomic_flag is_reported;
    while (is_reported.test_and_set())
        pause();  // the process ends when the first thread has written its line
    Line line;
    if (signal == SIGFPE)
        end_process(line.add("integer division by zero, whose result a GPU leaves undefined: ").add_place());
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    line.add("cudaErrorIllegalAddress (an illegal memory access was encountered, at 0x").add(address, 16);
    if (is_below_stack(address))
        line.add(
            ", because the thread's stack is used up: is the recursion too deep? "
            "cudaDeviceSetLimit(cudaLimitStackSize, bytes) makes it larger");
    else if (is_of_ended_block(address))
        line.add(", in shared memory of another block of the cluster, which has ended");
    else if (const auto array = beside_which_array(address))
        add_array(line.add(", "), *array);
    else
        add_null_argument(line, address);
    end_process(line.add("): ").add_place());
}

/// Why a launch counts as endless.
enum class Endless { without_progress, by_waiting };
std::atomic<Endless> how_endless;

Line& add_timeout(Line& line) {
    return line.add("cudaErrorLaunchTimeout (the launch timed out and was terminated): ");
}

void on_timeout(int) {
    Line line;
    add_timeout(line).add_place().add(": for ");
    if (how_endless == Endless::without_progress)
        line.add(launch_timeout_seconds())
            .add(
                " s no thread of this launch has started, ended or waited; CUDABOOK_LAUNCH_TIMEOUT=SECONDS "
                "allows more");
    else
        line.add(barriers_timeout_seconds())
            .add(
                " s the threads of this launch have waited for each other again and again, and none has "
                "started or ended; CUDABOOK_BARRIERS_TIMEOUT=SECONDS allows more");
    end_process(line);
}

/// Makes the stuck thread report its place and end the process.
void interrupt(const Running& stuck, Endless how) {
    how_endless = how;
    struct sigaction action {};
    action.sa_handler = on_timeout;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGXCPU, &action, nullptr);
    pthread_kill(stuck.thread, SIGXCPU);
    std::this_thread::sleep_for(std::chrono::seconds(10));
    Line line;
    end_process(add_timeout(line).add(lasting_name(stuck.kernel)));
}

// ----- The monitor

/// Looks at the progress of all launches at regular intervals. It counts its looks, not the time, because a
/// debugger may stop the process for a long time.
class Monitor {
  public:
    /// If `seconds_at_barriers` is 0, there is no limit for waiting at barriers.
    Monitor(unsigned seconds, unsigned seconds_at_barriers)
        : between_(std::chrono::milliseconds(std::chrono::seconds(
                       seconds_at_barriers == 0 ? seconds : std::min(seconds, seconds_at_barriers))) /
                   20),
          most_without_progress_(looks_in(seconds)),
          most_by_waiting_(seconds_at_barriers == 0 ? UINT64_MAX : looks_in(seconds_at_barriers)) {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it, and gets no signals
        thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

  private:
    struct Launch {
        std::uint64_t turns = 0;
        std::uint64_t waits = 0;
        std::uint64_t without_progress = 0;  ///< consecutive looks at which neither number had changed
        std::uint64_t by_waiting = 0;        ///< consecutive looks at which `turns` had not changed
    };

    [[nodiscard]] std::uint64_t looks_in(unsigned seconds) const {
        return static_cast<std::uint64_t>(std::chrono::seconds(seconds) / between_);
    }

    void watch(const std::stop_token& stop) {
        std::map<const void*, Launch> before;
        std::mutex never_held;
        std::condition_variable_any stopped;
        for (;;) {
            std::unique_lock waiting(never_held);
            if (stopped.wait_for(waiting, stop, between_, [&] { return stop.stop_requested(); })) return;
            const std::lock_guard lock(running_mutex);
            std::map<const void*, Launch> now;
            for (const Running& one : running) {
                now[one.launch].turns += one.progress->turns;
                now[one.launch].waits += one.progress->waits;
            }
            for (auto& [launch, state] : now) {
                const auto found = before.find(launch);
                if (found == before.end() || found->second.turns != state.turns) continue;
                state.by_waiting = found->second.by_waiting + 1;
                if (found->second.waits == state.waits)
                    state.without_progress = found->second.without_progress + 1;
                auto stuck = std::ranges::find_if(running, [launch = launch](const Running& one) {
                    return one.launch == launch && !one.progress->is_at_grid_barrier;
                });
                if (stuck == running.end()) stuck = std::ranges::find(running, launch, &Running::launch);
                if (state.without_progress == most_without_progress_)
                    interrupt(*stuck, Endless::without_progress);
                if (state.by_waiting == most_by_waiting_) interrupt(*stuck, Endless::by_waiting);
            }
            before = std::move(now);
        }
    }

    std::chrono::milliseconds between_;
    std::uint64_t most_without_progress_;  ///< in looks
    std::uint64_t most_by_waiting_;
    std::jthread thread_;
};

void start() {
    static const bool started = [] {
        catch_faults();
        if (const unsigned seconds = launch_timeout_seconds(); seconds > 0)
            static Monitor monitor(seconds, barriers_timeout_seconds());
        return true;
    }();
    static_cast<void>(started);
    thread_local const SignalStack stack;
    static_cast<void>(stack);
}

}  // namespace

void catch_faults() {
    static std::atomic<bool> caught = CUDABOOK_ADDRESS_SANITIZER == 1;
    if (caught.exchange(true)) return;
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (std::size_t i = 0; i < std::size(fault_signals); ++i)
        sigaction(fault_signals[i], &action, &previous_actions[i]);
}

unsigned launch_timeout_seconds() {
    static const unsigned seconds = number_in_environment<unsigned>("CUDABOOK_LAUNCH_TIMEOUT").value_or(30);
    return seconds;
}

unsigned barriers_timeout_seconds() {
    static const unsigned seconds =
        number_in_environment<unsigned>("CUDABOOK_BARRIERS_TIMEOUT").value_or(600);
    return seconds;
}

std::string running_kernel() { return kernel_here == nullptr ? "" : kernel_here; }

std::string running_thread() {
    return kernel_here == nullptr ? std::string() : std::string(Line("").add_place().text());
}

void say_error_here(std::string_view more) {
    if (kernel_here != nullptr) Line().add("error in ").add_place().add(more).write();
}

void print_line(const std::string& line) {
    const std::string text = fmt::format("{}: {}\n", program_invocation_short_name, line);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

void note_failed_allocation(std::size_t bytes) { failed_allocation = bytes; }

Watched::Watched(const void* kernel, const void* launch, unsigned null_argument) {
    start();
    null_argument_here = null_argument;
    const std::lock_guard lock(running_mutex);
    kernel_here = lasting_name(kernel);
    running.push_back({kernel, launch, pthread_self(), &progress});
}

Watched::~Watched() {
    {
        const std::lock_guard lock(running_mutex);
        std::erase_if(running, [](const Running& one) { return one.progress == &progress; });
    }
    kernel_here = nullptr;
}

}  // namespace cudabook::emulation

// ----- AddressSanitizer and UndefinedBehaviorSanitizer report the line in which a kernel went wrong. The
// functions here add the kernel, block and thread; for ThreadSanitizer, identity.cpp does this. Two kinds
// of memory are no leaks: memory of OpenMP threads that are still ending when the program ends, and the
// objects of unbound texture references, which are destroyed many at a time (common/book/). Use after
// return is not checked, because GCC 14 would then keep variables not on the stack but in memory of the
// operating system's thread, where one fiber would overwrite the variables of another.

#if CUDABOOK_ADDRESS_SANITIZER

#include <sanitizer/asan_interface.h>

extern "C" {
void __asan_on_error();
void __ubsan_on_report();
const char* __asan_default_options();
const char* __lsan_default_suppressions();
const char* __lsan_default_options();
void __asan_on_error() {
    using namespace cudabook::emulation;
    say_error_here(__asan_report_present() != 0 ? beyond_shared_text(__asan_get_report_address())
                                                : std::string());
}
void __ubsan_on_report() { __asan_on_error(); }
const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
const char* __lsan_default_suppressions() {
    return "leak:__cxa_thread_atexit_impl\nleak:cudabook::book::Bindings::bind\n";
}
const char* __lsan_default_options() { return "print_suppressions=0"; }
}

#endif
