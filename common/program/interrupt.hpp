// Ctrl-C for long loops: the first signal sets a flag that the loops check, a second signal ends the process.
#pragma once

#include <atomic>
#include <csignal>

namespace cudabook {

namespace detail {

// A signal handler may write only a lock-free atomic; several threads may read it.
inline std::atomic<bool> interrupt_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" inline void on_interrupt(int signal) {
    if (interrupt_flag.exchange(true)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    } else {
        std::signal(signal, on_interrupt);  // some systems reset the handler when they call it
    }
}

}  // namespace detail

/// Returns true if SIGINT or SIGTERM arrived while an InterruptGuard existed, and clear_interrupt() has not
/// been called since. Thread-safe.
inline bool interrupted() { return detail::interrupt_flag.load(std::memory_order_relaxed); }

/// Makes interrupted() false again, for another run in the same process.
inline void clear_interrupt() { detail::interrupt_flag.store(false, std::memory_order_relaxed); }

/// While an InterruptGuard exists, the first SIGINT or SIGTERM makes interrupted() true instead of ending the
/// process. A second signal before clear_interrupt() ends the process as if there were no guard. The
/// constructor calls clear_interrupt(). The destructor restores the old signal handlers and leaves
/// interrupted() unchanged.
class InterruptGuard {
  public:
    InterruptGuard() {
        clear_interrupt();
        old_int_ = std::signal(SIGINT, detail::on_interrupt);
        old_term_ = std::signal(SIGTERM, detail::on_interrupt);
    }

    ~InterruptGuard() {
        std::signal(SIGTERM, old_term_);
        std::signal(SIGINT, old_int_);
    }

    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    using Handler = void (*)(int);
    Handler old_int_;
    Handler old_term_;
};

}  // namespace cudabook
