// Runs one block at a time: schedules the block's threads, and knows what each of them waits for.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

#include "emulator/counting/counter.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/cluster.hpp"
#include "emulator/engine/fiber.hpp"
#include "emulator/engine/grid_barrier.hpp"
#include "emulator/engine/launch.hpp"
#include "emulator/engine/pending_launch.hpp"
#include "emulator/engine/watchdog.hpp"

namespace cudabook::emulation {

/// Why a kernel failed.
struct Failure {
    cudaError_t error;
    std::string text;  ///< names the block and its threads
};

/// The emulated multiprocessor of an operating system's thread.
///
/// A fiber calls the kernel for one CUDA thread after another. When a CUDA thread waits, its fiber waits with
/// it, and another fiber runs the next threads. So a thread that never waits costs only a function call,
/// and only threads that wait need stacks of their own.
class Multiprocessor {
  public:
    static Multiprocessor& of_this_thread();

    Multiprocessor() = default;
    Multiprocessor(const Multiprocessor&) = delete;
    Multiprocessor& operator=(const Multiprocessor&) = delete;
    ~Multiprocessor() = default;

    /// Runs a block of at most 1024 threads. With a seed, the threads run in a random order. `launch` is an
    /// address for ThreadSanitizer: work that was released at `launch` happens before the threads' work.
    /// `grid_barrier` is null unless the launch is cooperative, and `cluster` is null unless the launch has
    /// clusters. Returns the failure, if any.
    std::optional<Failure> run(const KernelCall& call, uint3 block, const dim3& threads, const dim3& blocks,
                               const void* launch, std::optional<std::uint64_t> seed,
                               GridBarrier* grid_barrier, Cluster* cluster);

    /// Returns the kernel launches that the threads of the last block have made, in the order of the calls,
    /// and forgets the launches.
    [[nodiscard]] std::vector<PendingLaunch> take_launches() { return std::exchange(launches_, {}); }

    /// For ThreadSanitizer: releases, at the address `launch`, the work of the launch's threads that ran
    /// here. Their work then happens before all work after an acquire at `launch`.
    void release_to(const void* launch);

    // The running thread calls these: see block.hpp.
    Arrived await_block(bool value, CodeLine line, GridStep step);
    void await_part(unsigned first, unsigned size, std::uint64_t given, PartExchanging exchange,
                    const char* name);
    std::uint64_t await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument,
                             Exchanging exchange, const char* name);
    void await_condition(bool (*is_true)(const void* of), const void* of, const char* name);
    void arrive_at_cluster(bool releases);
    void await_cluster();
    void let_others_run();
    [[noreturn]] void fail(cudaError_t error, std::string why);
    void copy_later(const Copy& copy);
    void commit_copies();
    void make_copies(std::size_t but);
    void make_all_copies();
    void launch_later(PendingLaunch launch);
    void fence() { threads_[current_].has_fenced = true; }
    void note_atomic(const void* memory) { more_[current_].changed = memory; }
    [[nodiscard]] bool has_changed_atomically(const void* memory) const {
        return more_[current_].changed == memory;
    }
#if CUDABOOK_THREAD_SANITIZER
    void order();
#else
    void order() {}
#endif
    void keep_states() {
        if (in_order_.goes_on) know_states();
    }
    [[nodiscard]] bool is_running() const { return is_running_; }
    [[nodiscard]] bool is_cooperative() const { return grid_barrier_ != nullptr; }
    [[nodiscard]] const Cluster* cluster() const { return cluster_; }
    [[nodiscard]] bool has_on_stack(const void* address) const;
    [[nodiscard]] std::optional<std::string> thread_with_on_stack(const void* address) const;
    [[nodiscard]] bool is_below_stack(std::uintptr_t address) const;
    [[nodiscard]] bool has_copies_to_await() const;
    [[nodiscard]] bool has_fenced() const { return threads_[current_].has_fenced; }

  private:
    enum class State : std::uint8_t {
        not_started,
        running,
        at_barrier,
        in_warp,
        in_part,
        at_condition,
        ended
    };

    /// The part of a thread's state that each switch to the thread needs. It fits into one cache line.
    struct alignas(64) Thread {
        State state = State::not_started;
        bool has_fenced = false;
        bool to_release = false;  ///< at the next barrier, the thread releases its work for the others
        unsigned met = 0;         ///< the number of the last barrier that the thread is ordered after
        Fiber* fiber = nullptr;
        Context place;  ///< where the thread's fiber resumes, while the thread waits
        uint3 index{};
        std::uint64_t taken = 0;     ///< the value taken from the other lanes
        const char* name = nullptr;  ///< names what the thread waits for
        std::uint32_t mask = 0;      ///< the lanes that the thread waits for
    };

    /// The part of a thread's state that few kernels need.
    struct ThreadMore {
        bool (*is_true)(const void* of) = nullptr;  ///< the condition that the thread waits for
        const void* of = nullptr;
        const void* changed = nullptr;  ///< for ThreadSanitizer: the last word that it changed atomically
        std::optional<std::uint64_t> at_cluster;  ///< the phase of the cluster's barrier in which the thread
                                                  ///< has arrived, if it has not awaited that phase's end
        std::vector<std::vector<Copy>> copies;  ///< for ThreadSanitizer: the copies that are not made yet, a
                                                ///< list for each commit; the last list is not committed
    };

    /// An exchange that some lanes of a warp wait for.
    struct Pending {
        std::uint32_t mask = 0;
        std::uint32_t arrived = 0;
        Exchanging exchange = nullptr;
        const void* place = nullptr;  ///< the place in the code that calls lanes_here(), else null
        Exchange lanes;
    };

    /// An exchange that some threads of a part of the block wait for.
    struct PendingPart {
        unsigned first;
        PartExchanging exchange;
        const char* name;
        unsigned arrived;
        std::vector<std::uint64_t> given;
        [[nodiscard]] unsigned size() const { return static_cast<unsigned>(given.size()); }
    };

    struct Warp {
        std::uint32_t lanes = 0;  ///< lanes that the block has and that have not ended
        std::uint32_t ended = 0;
        std::vector<Pending> pending;
    };

    /// A first-in, first-out queue of thread numbers.
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return count_ == 0; }
        [[nodiscard]] unsigned size() const { return count_; }
        void clear() { count_ = 0; }
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

    /// For ThreadSanitizer: the addresses at which the threads of a group, such as the lanes of a mask,
    /// release and acquire when they meet. Even and odd meetings have different addresses, because a thread
    /// may come to the next meeting while other threads have not left this meeting yet.
    struct Meeting {
        std::array<char, 2> places{};
        unsigned number = 0;
        [[nodiscard]] const void* place() const { return &places[number % 2]; }
    };

    /// While this object lives, ThreadSanitizer knows that the engine runs, and not the CUDA thread that
    /// called it. If `meeting` is given, the work that this thread does after the meeting is ordered after
    /// the work that all threads of the meeting did before the meeting.
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

    // These tell ThreadSanitizer what happens. begin_engine(): the engine runs from now on. begin_thread():
    // the thread on this fiber runs from now on. come_to_barrier(): a thread comes to the barrier.
    // pass_barrier(): the threads pass the barrier. forget_order(): a block begins.
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
    void become_idle();
    static void work_of(void* multiprocessor);
    void begin_states();
    void begin_thread_state(Thread& thread);
    void run_in_order();
    void know_states();
    template <class Work>
    void note_exceptions(const Work& work);
    void note_exception();
    bool may_start();
    void call_kernel();
    void end_thread();
    void release_groups(unsigned number);
    void take_over();
    void release_in_order(const void* at);
    void note_failure(cudaError_t error, const std::string& why);

    static void switch_to(const Fiber::Suspended& other);
    Fiber::Suspended next();
    Fiber::Suspended next_at_once();
    Fiber::Suspended pop_ready();
    Fiber& idle_fiber();
    Fiber::Suspended fiber_to_start();
    void wake_those_whose_condition_is_true();
    void check_line(CodeLine line);
    void release_barrier();
    void step_of_grid();
    Cluster& cluster_or_block();
    void await_other_blocks();
    void check_step(GridStep step);
    void start_next();
    std::vector<Pending>::iterator add_exchange(Warp& warp, std::uint32_t mask, Exchanging exchange,
                                                const void* place);
    void release_lanes(unsigned warp, Pending& pending);
    [[nodiscard]] unsigned alive_in(const PendingPart& part) const;
    Meeting& meeting_of(const PendingPart& part);
    void release_part(PendingPart& part);
    void release_gathered();
    void give_up_threads();
    [[nodiscard]] std::string why_none_goes_on() const;
    [[nodiscard]] std::string thread_text(unsigned thread) const;

    const KernelCall* call_ = nullptr;
    Counter* counter_ = nullptr;                ///< null if nothing is counted
    unsigned size_ = 0;                         ///< threads of the block
    unsigned started_ = 0;                      ///< threads that have been started
    uint3 next_index_{};                        ///< the index of thread number `started_`, if order_ is empty
    std::size_t stack_bytes_ = 0;               ///< the size of the fibers' stacks
    unsigned alive_ = 0;                        ///< threads that have not ended
    InOrder in_order_{false, &progress.turns};  ///< while run_in_order() runs the block
    bool start_one_ = false;                    ///< start a thread before ready threads go on
    unsigned current_ = 0;                      ///< the thread that runs
    std::array<Thread, most_threads> threads_;
    std::array<ThreadMore, most_threads> more_;
    std::vector<std::uint16_t> order_;  ///< the order in which threads start; if empty, by number
    std::optional<std::minstd_rand> random_;
    std::array<Queue, 2> queues_;
    Queue* ready_ = &queues_[0];
    Queue* at_barrier_ = &queues_[1];
    std::vector<unsigned> at_condition_;
    unsigned nonzero_at_barrier_ = 0;
    unsigned gathering_ = 0;               ///< pending exchanges of lanes_here()
    unsigned yields_ = 0;                  ///< calls of yield() since the last call of release_gathered()
    CodeLine barrier_line_;                ///< the line of the first thread that waits at the barrier
    GridStep grid_step_ = GridStep::none;  ///< the block's step at the barrier
    GridBarrier* grid_barrier_ = nullptr;
    std::uint64_t grid_arrivals_ = 0;        ///< how often this block has arrived at the grid's barrier
    Cluster* cluster_ = nullptr;             ///< null if the launch has no clusters
    std::optional<Cluster> cluster_of_one_;  ///< for the barrier of a block whose launch has no clusters
    Cluster* with_barrier_ = nullptr;        ///< cluster_ or &*cluster_of_one_; null before it is needed
    unsigned awaiting_cluster_ = 0;          ///< threads that wait for the cluster's barrier
    Arrived arrived_{};                      ///< the result of the last barrier
    std::array<Warp, most_threads / 32> warps_;
    std::vector<PendingPart> parts_;
    std::vector<PendingLaunch> launches_;  ///< launches by the threads of the block
    std::optional<Failure> failure_;
    bool is_running_ = false;  ///< a block is running

    /// For ThreadSanitizer: the address at which threads release and acquire at a barrier of the block.
    /// Barrier number i uses `places_[i % barrier_places]`. A thread acquires only when it next uses memory
    /// other than shared memory (order()). For shared memory it need not acquire, because each barrier makes
    /// ThreadSanitizer forget the earlier uses of shared memory.
    struct BarrierPlace {
        std::uint64_t place = 0;
        bool is_used = false;
    };
    static constexpr unsigned barrier_places = 8;
    std::array<BarrierPlace, barrier_places> places_;
    [[maybe_unused]] unsigned barriers_ = 0;  ///< barriers that the block has passed
    /// The first 1024 elements are the meetings of lanes; the index is the first lane's thread number. The
    /// other elements are the meetings of parts of the block that have at least 64 threads.
    std::array<Meeting, most_threads + 32> meetings_;
    bool some_have_met_ = false;
    const void* launch_ = nullptr;
    [[maybe_unused]] char end_of_cluster_s_block_ = 0;  ///< threads release here when they end

    Fiber main_;  ///< the caller of run()
    Fiber* running_ = &main_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::deque<Fiber*> idle_;
};

/// Returns whether a fault at this address means that the calling CUDA thread has used up its stack. A signal
/// handler may call this.
bool is_below_stack(std::uintptr_t address);

/// Returns the name of the thread on whose stack the address is, for example "thread (1, 0, 0)", if it is
/// another thread of the running thread's block. Otherwise returns nothing.
std::optional<std::string> thread_with_on_stack(const void* address);

/// Returns whether the running thread has begun an asynchronous copy and has not waited for the copy.
bool has_copies_to_await();
inline constexpr std::string_view copies_to_await =
    "the thread has begun an asynchronous copy and has not waited for it";

}  // namespace cudabook::emulation
