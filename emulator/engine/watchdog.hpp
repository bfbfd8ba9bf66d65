// Ends the process when a kernel runs too long without progress, or touches memory that does not exist. A
// GPU would survive both. A line on stderr names the kernel, block and thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudabook::emulation {

/// The progress of CUDA threads in this operating system's thread. Only this thread writes it.
struct Progress {
    /// How often a CUDA thread has started or ended. The thread that watches reads it too, in one
    /// instruction. It is volatile, because around an atomic variable g++ keeps no other in a register.
    volatile std::uint64_t turns = 0;
    std::atomic<std::uint64_t> waits{0};          ///< how often CUDA threads have gone on after waiting
    std::atomic<bool> is_at_grid_barrier{false};  ///< it waits for other blocks of the grid or cluster
};
inline constinit thread_local Progress progress;

inline void count_turn() { progress.turns = progress.turns + 1; }
inline void count_wait() {
    progress.waits.store(progress.waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Returns CUDABOOK_LAUNCH_TIMEOUT, or 30 if it is not set: how many seconds a launch may run without any
/// of its threads starting, ending or going on after waiting. 0 turns off this limit and the limit for
/// barriers. Errors: MachineError if the variable is no number.
unsigned launch_timeout_seconds();

/// Returns CUDABOOK_BARRIERS_TIMEOUT, or 600 if it is not set: how many seconds a launch may run without
/// any of its threads starting or ending, even if threads wait and go on. 0 means no limit. Errors:
/// MachineError if the variable is no number.
unsigned barriers_timeout_seconds();

/// While this object lives, this operating system's thread runs blocks of a launch and is watched. If the
/// launch exceeds a time limit in all threads that run it, the process ends with status 3. The process also
/// ends with status 3 on SIGSEGV, SIGBUS and SIGFPE, except under AddressSanitizer, which reports more.
class Watched {
  public:
    /// `null_argument` is the number of the launch's first argument that is a null pointer, from 1 on, or 0.
    Watched(const void* kernel, const void* launch, unsigned null_argument);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

/// Notes that cudaMalloc() has found no memory, which a message about a null pointer then says.
void note_failed_allocation(std::size_t bytes);

/// running_kernel() returns the name of the kernel that runs in this operating system's thread,
/// running_thread() also the block and thread. Both return an empty string if no kernel runs there.
std::string running_kernel();
std::string running_thread();

/// If a kernel runs here, writes a line to stderr that names kernel, block and thread, followed by `more`. A
/// signal handler may call this.
void say_error_here(std::string_view more);

/// From now on, a line on stderr explains why the process ends by a fault of a kernel, or by the host's
/// access to an array that only kernels may use.
void catch_faults();

/// Writes the program's name and the line to stderr.
void print_line(const std::string& line);

}  // namespace cudabook::emulation
