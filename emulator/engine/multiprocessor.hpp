// Runs the threads of one block at a time: which of them runs, and who waits for whom.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

#include "emulator/counting/counter.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/fiber.hpp"
#include "emulator/engine/launch.hpp"

namespace cudabook::emulation {

/// Why a kernel could not end.
struct Failure {
    cudaError_t error;
    std::string text;  ///< names the block and its threads
};

/// The emulated multiprocessor of an operating system's thread.
///
/// A fiber calls the kernel for one CUDA thread after another. When one of them waits, its fiber waits with
/// it, and another fiber goes on with the next. So threads that never wait cost a function call each, and
/// only the others need stacks of their own.
class Multiprocessor {
  public:
    static Multiprocessor& of_this_thread();

    Multiprocessor() = default;
    Multiprocessor(const Multiprocessor&) = delete;
    Multiprocessor& operator=(const Multiprocessor&) = delete;
    ~Multiprocessor() = default;

    /// Runs a block, of at most 1024 threads, of a grid. With a seed, the threads run in a random order. What
    /// was released at `launch` comes before what they do.
    std::optional<Failure> run(const KernelCall& call, uint3 block, const dim3& threads, const dim3& blocks,
                               const void* launch, std::optional<std::uint64_t> seed);

    /// What the threads of the launch have done here comes before what acquires `launch`.
    void release_to(const void* launch);

    // For the thread that runs: see block.hpp.
    Arrived await_block(bool value, CodeLine line);
    std::uint64_t await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument,
                             Exchanging exchange, const char* name, const void* place);
    void await_condition(bool (*is_true)(const void* of), const void* of, const char* name);
    void let_others_run();
    [[noreturn]] void fail(cudaError_t error, std::string why);
    void copy_later(const Copy& copy);
    void commit_copies();
    void make_copies(std::size_t but);
    void make_all_copies();
    void fence() { threads_[current_].has_fenced = true; }
#if CUDABOOK_THREAD_SANITIZER
    void order();
#else
    void order() {}
#endif
    [[nodiscard]] bool is_running() const { return is_running_; }
    [[nodiscard]] bool has_fenced() const { return threads_[current_].has_fenced; }

  private:
    enum class State : std::uint8_t { not_started, running, at_barrier, in_warp, at_condition, ended };

    struct Thread {
        State state = State::not_started;
        bool has_fenced = false;
        bool to_release = false;  ///< at the next barrier: it has done what others may have to come after
        unsigned met = 0;         ///< the last barrier whose order it has
        Fiber* fiber = nullptr;
        uint3 index{};
        std::uint64_t taken = 0;                    ///< from the other lanes
        const char* name = nullptr;                 ///< of what it waits for
        std::uint32_t mask = 0;                     ///< the lanes that it waits for
        bool (*is_true)(const void* of) = nullptr;  ///< the condition that it waits for
        const void* of = nullptr;
        std::vector<std::vector<Copy>> copies;  ///< to make, by commits; the last ones are not committed
    };

    /// What some lanes of a warp wait to exchange.
    struct Pending {
        std::uint32_t mask;
        std::uint32_t arrived;
        Exchanging exchange;
        const void* place;  ///< not nullptr: whoever comes there
        Exchange lanes;
    };

    struct Warp {
        std::uint32_t lanes = 0;  ///< that the block has and that have not ended
        std::uint32_t ended = 0;
        std::vector<Pending> pending;
    };

    /// Thread numbers, first in, first out.
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return count_ == 0; }
        [[nodiscard]] unsigned size() const { return count_; }
        void push(unsigned thread) {
            ring_[(first_ + count_++) % most_threads] = static_cast<std::uint16_t>(thread);
        }
        unsigned pop() {
            const unsigned thread = ring_[first_];
            first_ = (first_ + 1) % most_threads;
            --count_;
            return thread;
        }
        void bring_to_front(unsigned place) {
            std::swap(ring_[first_], ring_[(first_ + place) % most_threads]);
        }

      private:
        std::array<std::uint16_t, 1024> ring_;
        unsigned first_ = 0;
        unsigned count_ = 0;
    };

    static constexpr unsigned most_threads = 1024;

    /// Where threads order each other, for ThreadSanitizer. Two take turns: who goes on may already be at the
    /// next meeting while others still have to leave this one.
    struct Meeting {
        std::array<char, 2> places{};
        unsigned number = 0;
        [[nodiscard]] const void* place() const { return &places[number % 2]; }
    };

    /// While it lives, the engine runs and not the CUDA thread that called it; then that one again. Those
    /// that leave a meeting come after all that came to it.
    class Waiting {
      public:
        explicit Waiting(Multiprocessor& here, const Meeting* meeting = nullptr)
            : here_(here), thread_(*here.running_), place_(meeting == nullptr ? nullptr : meeting->place()) {
            if (place_ != nullptr) release(place_);
            here_.begin_engine();
        }
        ~Waiting() {
            here_.begin_thread(thread_);
            if (place_ == nullptr) return;
            acquire(place_);
            here_.order();
        }
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

      private:
        Multiprocessor& here_;
        Fiber& thread_;
        const void* place_;
    };

    // For ThreadSanitizer: what runs from now on is the engine's, or that of the thread on this fiber; a
    // thread comes to the barrier; the barrier is passed; a block begins.
#if CUDABOOK_THREAD_SANITIZER
    void begin_engine();
    void begin_thread(Fiber& fiber);
    void come_to_barrier();
    void pass_barrier();
    void forget_order();
#else
    void begin_engine() {}
    void begin_thread(Fiber&) {}
    void come_to_barrier() {}
    void pass_barrier() {}
    void forget_order() {}
#endif
    void work();
    void start_threads();
    bool may_start();
    void call_kernel();
    void end_thread();
    void take_over();
    void note_failure(cudaError_t error, const std::string& why);
    void switch_to(Fiber& other);
    Fiber& next();
    Fiber& idle_fiber();
    Fiber& fiber_to_start();
    void wake_those_whose_condition_is_true();
    void check_line(CodeLine line);
    void release_barrier();
    void release_lanes(unsigned warp, Pending& pending);
    void release_gathered();
    void give_up_threads();
    [[nodiscard]] std::string why_none_goes_on() const;
    [[nodiscard]] std::string thread_text(unsigned thread) const;

    const KernelCall* call_ = nullptr;
    Counter* counter_ = nullptr;  ///< null: nothing is counted
    unsigned size_ = 0;           ///< threads of the block
    unsigned started_ = 0;        ///< of them
    unsigned alive_ = 0;          ///< that have not ended
    bool start_one_ = false;      ///< before those that are ready go on
    unsigned current_ = 0;        ///< the thread that runs
    std::array<Thread, most_threads> threads_;
    std::vector<std::uint16_t> order_;  ///< in which threads are started; empty: by number
    std::optional<std::minstd_rand> random_;
    Queue ready_;
    std::vector<unsigned> at_condition_;
    std::vector<unsigned> at_barrier_;
    unsigned nonzero_at_barrier_ = 0;
    unsigned gathering_ = 0;  ///< how many wait for whoever comes to a place
    unsigned yields_ = 0;     ///< since they last went on
    CodeLine barrier_line_;   ///< of the first that waits there
    Arrived arrived_{};       ///< of the last barrier
    std::array<Warp, most_threads / 32> warps_;
    std::optional<Failure> failure_;
    bool is_running_ = false;  ///< a block

    /// Where the threads of the block order each other at its barrier number i: `places[i % barrier_places]`.
    /// A thread is put in order only when it next leaves shared memory (order()), of which each barrier
    /// forgets who used it.
    struct BarrierPlace {
        std::uint64_t place = 0;
        bool is_used = false;
    };
    static constexpr unsigned barrier_places = 8;
    std::array<BarrierPlace, barrier_places> places_;
    [[maybe_unused]] unsigned barriers_ = 0;            ///< that the block has passed
    std::array<Meeting, most_threads> lanes_meetings_;  ///< by the first of the lanes
    bool lanes_have_met_ = false;
    const void* launch_ = nullptr;

    Fiber main_;  ///< the caller of run()
    Fiber* running_ = &main_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::deque<Fiber*> idle_;
};

}  // namespace cudabook::emulation
