#include "common/emulation/engine/watchdog.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "common/emulation/checks/sanitizer.hpp"
#include "common/emulation/engine/block.hpp"
#include "common/emulation/engine/program_file.hpp"
#include "common/emulation/runtime/environment.hpp"

namespace cudabook::emulation {

namespace {

/// What a thread of the operating system runs.
struct Running {
    const void* kernel;
    const void* launch;
    pthread_t thread;
    const std::atomic<std::uint64_t>* progress;
};

std::mutex running_mutex;
std::vector<Running> running;
constinit thread_local const void* kernel_here = nullptr;

// ----- Ends the process

[[noreturn]] void end_process(const std::string& line) {
    print_line(line);
    _exit(3);
}

/// The kernel, the block and the thread that run here.
std::string here_text() {
    return fmt::format("{}, block ({}, {}, {}), thread ({}, {}, {})", name_of(kernel_here), blockIdx.x,
                       blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
}

// ----- Signals. Their handlers run on a stack of their own, because the one of a fiber may be used up.

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

void on_fault(int signal, siginfo_t* info, void* /*context*/) {
    const auto* const which = std::ranges::find(fault_signals, signal);
    sigaction(signal, &previous_actions[which - std::begin(fault_signals)], nullptr);
    if (kernel_here == nullptr) {
        // Not a kernel's: the instruction is repeated, and then whoever was responsible before sees it.
        if (info->si_code <= 0) raise(signal);
        return;
    }
    if (signal == SIGFPE)
        end_process(
            fmt::format("integer division by zero, whose result a GPU leaves undefined: {}", here_text()));
    end_process(fmt::format("cudaErrorIllegalAddress (an illegal memory access was encountered, at {}): {}",
                            info->si_addr, here_text()));
}

void on_timeout(int) {
    end_process(
        fmt::format("cudaErrorLaunchTimeout (the launch timed out and was terminated): {}: for {} s no "
                    "thread of this launch has started, ended or waited; "
                    "CUDABOOK_LAUNCH_TIMEOUT=SECONDS allows more",
                    here_text(), launch_timeout_seconds()));
}

void catch_faults() {
    if (CUDABOOK_ADDRESS_SANITIZER == 1) return;
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (std::size_t i = 0; i < std::size(fault_signals); ++i)
        sigaction(fault_signals[i], &action, &previous_actions[i]);
}

/// The thread that waits for ever says where it is.
void interrupt(const Running& stuck) {
    struct sigaction action {};
    action.sa_handler = on_timeout;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGXCPU, &action, nullptr);
    pthread_kill(stuck.thread, SIGXCPU);
    std::this_thread::sleep_for(std::chrono::seconds(10));
    end_process(fmt::format("cudaErrorLaunchTimeout (the launch timed out and was terminated): {}",
                            name_of(stuck.kernel)));
}

// ----- The monitor

/// Looks from time to time, and counts the looks and not the time: a debugger may stop the process for long.
class Monitor {
  public:
    explicit Monitor(unsigned seconds) : between_(std::chrono::milliseconds(seconds * 1000 / looks)) {
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
        thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

  private:
    static constexpr unsigned looks = 20;

    struct Launch {
        std::uint64_t progress = 0;
        unsigned looks = 0;  ///< that saw this same progress
    };

    void watch(const std::stop_token& stop) {
        std::map<const void*, Launch> before;
        std::mutex never_held;
        std::condition_variable_any stopped;
        for (;;) {
            std::unique_lock waiting(never_held);
            if (stopped.wait_for(waiting, stop, between_, [&] { return stop.stop_requested(); })) return;
            const std::lock_guard lock(running_mutex);
            std::map<const void*, Launch> now;
            for (const Running& one : running) now[one.launch].progress += *one.progress;
            for (auto& [launch, state] : now) {
                const auto found = before.find(launch);
                if (found == before.end() || found->second.progress != state.progress) continue;
                state.looks = found->second.looks + 1;
                if (state.looks == looks) interrupt(*std::ranges::find(running, launch, &Running::launch));
            }
            before = std::move(now);
        }
    }

    std::chrono::milliseconds between_;
    std::jthread thread_;
};

void start() {
    static const bool started = [] {
        catch_faults();
        if (const unsigned seconds = launch_timeout_seconds(); seconds > 0) static Monitor monitor(seconds);
        return true;
    }();
    static_cast<void>(started);
    thread_local const SignalStack stack;
    static_cast<void>(stack);
}

}  // namespace

unsigned launch_timeout_seconds() {
    static const unsigned seconds = number_in_environment<unsigned>("CUDABOOK_LAUNCH_TIMEOUT").value_or(30);
    return seconds;
}

std::string running_kernel() { return kernel_here == nullptr ? std::string() : name_of(kernel_here); }

std::string running_thread() { return kernel_here == nullptr ? std::string() : here_text(); }

void print_line(const std::string& line) {
    const std::string text = fmt::format("{}: {}\n", program_invocation_short_name, line);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

Watched::Watched(const void* kernel, const void* launch) {
    start();
    kernel_here = kernel;
    const std::lock_guard lock(running_mutex);
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

// ----- AddressSanitizer and UndefinedBehaviorSanitizer say in which line a kernel went wrong. This adds
// which kernel, block and thread it was. (For ThreadSanitizer: identity.cpp.) No leaks are what one of
// OpenMP's threads that is just ending still has when the program ends, and the objects of unbound texture
// references, which are destroyed many at a time (common/book/). Variables stay on the stack: GCC 14 keeps
// them elsewhere for each thread, where one fiber would overwrite those of another.

#if CUDABOOK_ADDRESS_SANITIZER

extern "C" {
void __asan_on_error();
void __ubsan_on_report();
const char* __asan_default_options();
const char* __lsan_default_suppressions();
const char* __lsan_default_options();
void __asan_on_error() {
    if (const std::string text = cudabook::emulation::running_thread(); !text.empty())
        cudabook::emulation::print_line("error in " + text);
}
void __ubsan_on_report() { __asan_on_error(); }
const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
const char* __lsan_default_suppressions() {
    return "leak:__cxa_thread_atexit_impl\nleak:cudabook::book::Bindings::bind\n";
}
const char* __lsan_default_options() { return "print_suppressions=0"; }
}

#endif
