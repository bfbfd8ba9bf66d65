// Runs one of the suite's programs as a child process: its environment, its signals, its output. For Linux.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/folders.hpp"
#include "tests/support/sanitized.hpp"

namespace cudabook::test {

/// Returns whether a process here can have a limited address space (Surroundings::address_space). It cannot
/// with AddressSanitizer, nor under QEMU.
inline bool address_space_can_be_limited() {
    if (sanitized) return false;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_AS, &none);
        const void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        _exit(page == MAP_FAILED ? 0 : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

/// How a program ended, and what it printed.
struct Ending {
    int status = -1;  ///< the exit status; -1 if a signal ended it
    int signal = 0;   ///< the signal that ended it; SIGALRM if it took too long
    std::string out;
    std::string err;
};

/// Where a program's stdout goes.
enum class Stdout { kept, pipe_that_nobody_reads, full_device, closed };

/// The environment and the limits that a program is started with.
struct Surroundings {
    std::vector<std::string> unset;                      ///< environment variables to remove
    std::vector<std::string> set;                        ///< NAME=value
    std::optional<rlim_t> address_space = std::nullopt;  ///< the limit, in bytes
    Stdout stdout_leads = Stdout::kept;
    unsigned seconds = sanitized ? 600 : 180;  ///< time limit
};

/// A running program. The destructor kills it.
class Process {
  public:
    /// Starts a program. `program` is the name of a program that was built with the tests, or the absolute
    /// path of another program.
    Process(const std::string& program, const std::vector<std::string>& arguments,
            const Surroundings& surroundings = {})
        : out_(memory_file()), err_(memory_file()) {
        // Between fork and exec only system calls are allowed, so memory is allocated before.
        const std::string path =
            program.starts_with('/') ? program : std::string(program_folder) + "/" + program;
        std::vector<std::string> words{path};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<std::string> variables = environment(surroundings);
        const auto argv = pointers(words);
        const auto envp = pointers(variables);
        const int out = open_stdout(surroundings.stdout_leads);
        pid_ = fork();
        if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
        if (pid_ == 0) execute(argv.data(), envp.data(), out, surroundings);
        if (out >= 0 && out != out_) close(out);
    }

    ~Process() {
        if (!ended_) {
            ::kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
        close(out_);
        close(err_);
    }

    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] pid_t id() const { return pid_; }

    void send(int signal) const { ::kill(pid_, signal); }

    [[nodiscard]] bool running() const {
        siginfo_t info{};
        return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               info.si_pid == 0;
    }

    /// Returns whether the program has a handler for the signal.
    [[nodiscard]] bool catches(int signal) const { return status_has("SigCgt:", signal); }

    /// Returns whether the signal was sent but not yet delivered.
    [[nodiscard]] bool pending(int signal) const { return status_has("ShdPnd:", signal); }

    /// Returns the CPU time used so far.
    [[nodiscard]] double cpu_seconds() const {
        clockid_t clock{};
        timespec time{};
        if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

    /// Waits until the condition is true. Returns false if the program ends first, or after 2 minutes.
    template <class Condition>
    [[nodiscard]] bool wait_until(Condition condition) const {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (!condition()) {
            if (!running() || std::chrono::steady_clock::now() > deadline) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }

    /// Waits until the loop of a heat sample runs: the program has installed its signal handlers and has then
    /// used 0.2 s of CPU time. Returns false if the program ends first, or after minutes.
    [[nodiscard]] bool wait_until_it_loops() const {
        if (!wait_until([this] { return catches(SIGINT) && catches(SIGTERM); })) return false;
        const double began = cpu_seconds();
        return wait_until([&] { return cpu_seconds() - began > 0.2; });
    }

    /// Returns the output on stdout so far.
    [[nodiscard]] std::string out() const { return content(out_); }

    [[nodiscard]] std::string err() const { return content(err_); }

    /// Waits until the program ends.
    Ending wait() {
        int how = 0;
        if (!ended_ && waitpid(pid_, &how, 0) != pid_)
            throw std::system_error(errno, std::generic_category(), "waitpid");
        ended_ = true;
        Ending ending;
        if (WIFEXITED(how)) ending.status = WEXITSTATUS(how);
        if (WIFSIGNALED(how)) ending.signal = WTERMSIG(how);
        ending.out = content(out_);
        ending.err = content(err_);
        return ending;
    }

  private:
    static int memory_file() {
        const int file = memfd_create("output", MFD_CLOEXEC);
        if (file < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
        return file;
    }

    static std::string content(int file) {
        std::string text;
        char buffer[4096];
        for (ssize_t n = 0; (n = pread(file, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
            text.append(buffer, static_cast<std::size_t>(n));
        return text;
    }

    [[nodiscard]] int open_stdout(Stdout to) const {
        if (to == Stdout::closed) return -1;
        if (to == Stdout::full_device) return open("/dev/full", O_WRONLY | O_CLOEXEC);
        if (to == Stdout::kept) return out_;
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
        close(ends[0]);
        return ends[1];
    }

    static std::vector<std::string> environment(const Surroundings& surroundings) {
        const auto name = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
        std::vector<std::string> variables = surroundings.set;
        for (char** variable = environ; *variable != nullptr; ++variable) {
            const auto is_this = [&](std::string_view other) { return name(other) == name(*variable); };
            if (std::ranges::none_of(surroundings.unset, is_this) &&
                std::ranges::none_of(surroundings.set, is_this))
                variables.emplace_back(*variable);
        }
        return variables;
    }

    static std::vector<char*> pointers(std::vector<std::string>& strings) {
        std::vector<char*> begins;
        for (std::string& string : strings) begins.push_back(string.data());
        begins.push_back(nullptr);
        return begins;
    }

    /// Runs in the child process after the fork.
    [[noreturn]] void execute(char* const* argv, char* const* envp, int out,
                              const Surroundings& surroundings) const {
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGALRM}) std::signal(signal, SIG_DFL);
        alarm(surroundings.seconds);
        const rlimit no_core{0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        if (surroundings.address_space) {
            const rlimit limit{*surroundings.address_space, *surroundings.address_space};
            setrlimit(RLIMIT_AS, &limit);
        }
        if (out < 0)
            close(STDOUT_FILENO);
        else
            dup2(out, STDOUT_FILENO);
        dup2(err_, STDERR_FILENO);
        execve(argv[0], argv, envp);
        _exit(127);
    }

    /// Returns whether a hexadecimal signal mask in /proc/PID/status contains the signal.
    [[nodiscard]] bool status_has(std::string_view line, int signal) const {
        std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
        for (std::string word; status >> word;) {
            std::string mask;
            if (word == line && status >> mask)
                return (std::stoull(mask, nullptr, 16) >> static_cast<unsigned>(signal - 1) & 1U) != 0;
        }
        return false;
    }

    int out_;
    int err_;
    pid_t pid_ = -1;
    bool ended_ = false;
};

/// Runs a program until it ends.
inline Ending run(const std::string& program, const std::vector<std::string>& arguments,
                  const Surroundings& surroundings = {}) {
    return Process(program, arguments, surroundings).wait();
}

}  // namespace cudabook::test
