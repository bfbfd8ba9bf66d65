// Ends the process when a kernel does what only a GPU survives: it runs for ever without waiting for
// anything, or touches memory that is not there. One line on stderr then names the kernel, the block and the
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudabook::emulation {

/// What CUDA threads have done in this thread of the operating system, which alone writes it.
struct Progress {
    std::atomic<std::uint64_t> turns{0};  ///< how often one has started or ended
    std::atomic<std::uint64_t> waits{0};  ///< how often some have gone on after waiting
};
inline constinit thread_local Progress progress;

inline void count_turn() {
    progress.turns.store(progress.turns.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
inline void count_wait() {
    progress.waits.store(progress.waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// CUDABOOK_LAUNCH_TIMEOUT: how long a launch may go on while its threads neither start nor end nor go on
/// after waiting; 30 if it is not set, 0: for ever, whatever they do. Errors: MachineError, if it is no
/// number.
unsigned launch_timeout_seconds();

/// CUDABOOK_BARRIERS_TIMEOUT: how long while none starts or ends; 600 if it is not set, 0: for ever.
unsigned barriers_timeout_seconds();

/// While it lives, this thread of the operating system runs blocks of a launch and is watched. When all
/// threads that run the launch have taken longer than those times, the process ends with status 3. So it does
/// on SIGSEGV, SIGBUS and SIGFPE, except under AddressSanitizer, which says more.
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

/// Writes a line to stderr that names them, and says more, if a kernel runs here. A handler of a signal may
/// call it.
void say_error_here(std::string_view more);

/// Writes a line to stderr, after the program's name.
void print_line(const std::string& line);

}  // namespace cudabook::emulation
