// Ends the process when a kernel does what only a GPU survives: it runs for ever without waiting for
// anything, or touches memory that is not there. One line on stderr then names the kernel, the block and the
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace cudabook::emulation {

/// How often a CUDA thread has started, ended or gone on after waiting, in this thread of the operating
/// system.
inline constinit thread_local std::atomic<std::uint64_t> progress{0};

/// Only this thread writes it.
inline void count_progress() {
    progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// CUDABOOK_LAUNCH_TIMEOUT; 30 if it is not set. Errors: MachineError, if it is no number.
unsigned launch_timeout_seconds();

/// While it lives, this thread of the operating system runs blocks of a launch and is watched. When all
/// threads that run the launch have made no progress for launch_timeout_seconds() (0: for ever), the process
/// ends with status 3. So it does on SIGSEGV, SIGBUS and SIGFPE, except under AddressSanitizer, which says
/// more.
class Watched {
  public:
    Watched(const void* kernel, const void* launch);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

/// The kernel that runs in this thread of the operating system; the same with block and thread. Empty: none.
std::string running_kernel();
std::string running_thread();

/// Writes a line to stderr, after the program's name.
void print_line(const std::string& line);

}  // namespace cudabook::emulation
