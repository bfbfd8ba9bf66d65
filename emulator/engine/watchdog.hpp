// Ends the process when a kernel runs too long without progress, or touches memory that does not exist. On a
// GPU, the process would survive both. A line on stderr names the kernel, block and thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudabook::emulation {

/// The progress of the CUDA threads that run in an operating system's thread. Only the operating system's
/// thread itself writes this object.
struct Progress {
    /// How often a CUDA thread has started or ended. The watchdog's thread reads this number, too, by a
    /// single load. The number is volatile and not atomic, because around accesses to an atomic variable g++
    /// keeps no other variable in a register.
    volatile std::uint64_t turns = 0;
    std::atomic<std::uint64_t> waits{0};          ///< how often CUDA threads have resumed after a wait
    std::atomic<bool> is_at_grid_barrier{false};  ///< the block waits for other blocks of its grid or cluster
};
inline constinit thread_local Progress progress;

inline void count_turn() { progress.turns = progress.turns + 1; }
inline void count_wait() {
    progress.waits.store(progress.waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Returns how many seconds a launch may run without progress: CUDABOOK_LAUNCH_TIMEOUT, or 30 if the variable
/// is not set. A launch makes progress when one of its threads starts, ends or resumes after a wait. 0 turns
/// off this limit and the limit for barriers. Throws MachineError if the variable is no number.
unsigned launch_timeout_seconds();

/// Returns how many seconds a launch may run in which threads only wait for each other and resume, but none
/// starts or ends: CUDABOOK_BARRIERS_TIMEOUT, or 600 if the variable is not set. 0 means no limit. Throws
/// MachineError if the variable is no number.
unsigned barriers_timeout_seconds();

/// While this object lives, the watchdog watches the calling operating system's thread, which runs blocks of
/// a launch. If no thread of the launch makes progress within a time limit, the process ends with status 3.
/// The process also ends with status 3 on SIGSEGV, SIGBUS and SIGFPE, except under AddressSanitizer, whose
/// own report says more.
class Watched {
  public:
    /// The address `launch` identifies the launch. `null_argument` is the number, counted from 1, of the
    /// first argument that is a null pointer, or 0 if there is none.
    Watched(const void* kernel, const void* launch, unsigned null_argument);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

/// Notes that cudaMalloc() of this many bytes has failed. Later messages about a null pointer mention the
/// failure.
void note_failed_allocation(std::size_t bytes);

/// running_kernel() returns the name of the kernel that runs in this operating system's thread.
/// running_thread() returns the kernel's name, the block and the thread. Both return an empty string if no
/// kernel runs in this thread.
std::string running_kernel();
std::string running_thread();

/// If a kernel runs here, writes a line to stderr that names kernel, block and thread, followed by `more`. A
/// signal handler may call this.
void say_error_here(std::string_view more);

/// Installs signal handlers. From now on, if a kernel faults or the host accesses an array that only kernels
/// may use, a line on stderr says why the process ends. Does nothing under AddressSanitizer.
void catch_faults();

/// Writes the program's name and the line to stderr.
void print_line(const std::string& line);

}  // namespace cudabook::emulation
