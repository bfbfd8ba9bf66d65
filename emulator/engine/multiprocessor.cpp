#include "emulator/engine/multiprocessor.hpp"

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/mbarrier.hpp"
#include "emulator/engine/shared_memory.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/engine/watchdog.hpp"

namespace cudabook::emulation {

namespace {

uint3 index_of(unsigned number, const dim3& size) {
    return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

/// Returns the index of the thread behind the thread with this index.
uint3 index_behind(const uint3& index) {
    if (index.x + 1 < block_size.x) return {index.x + 1, index.y, index.z};
    if (index.y + 1 < block_size.y) return {0, index.y + 1, index.z};
    return {0, 0, index.z + 1};
}

Refusal printed(const char* format, std::va_list arguments) {
    Refusal text;
    std::vsnprintf(text.data(), text.size(), format, arguments);
    return text;
}

std::string text_of(const uint3& index) { return fmt::format("({}, {}, {})", index.x, index.y, index.z); }

std::string lanes_text(std::uint32_t lanes) {
    std::string text;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        unsigned last = lane;
        while (last + 1 < 32 && (lanes >> (last + 1) & 1U) != 0) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
        if (last > lane) text += fmt::format("-{}", last);
        lane = last;
    }
    return text;
}

std::string none_of_its_lanes(const char* function, std::uint32_t mask) {
    return fmt::format("{} for lanes {}, but the calling lane is not in the mask", function,
                       lanes_text(mask));
}

#ifdef __wasm__
/// Ends the stack of a thread that has failed; note_failure() was called.
struct KernelHasFailed {};
#endif

/// If true, each stack has one identity: ThreadSanitizer cannot be told to forget accesses to a stack.
constexpr bool one_thread_a_stack = thread_sanitizer;

/// Returns how many identities there are in addition to one for each thread of the block. A reused identity
/// keeps its happens-before relations, and a barrier passes them on to all threads of its block. So a race
/// between blocks is found only if the later block has no identity of the earlier block, which the
/// additional identities make possible. Each makes barriers slower, so large blocks have relatively few.
unsigned spare_identities(unsigned threads) { return std::clamp(threads, 32U, 256U); }

/// The exchange of the lanes that gather at a place: each takes the mask of these lanes.
void give_lanes(Exchange& exchange) { exchange.taken.fill(exchange.lanes); }

/// The multiprocessor of this operating system's thread.
constinit thread_local Multiprocessor* running_here = nullptr;

/// Returns the kind of synchronization of the warp function with this name.
Synchronization synchronization_of(std::string_view name) {
    if (name.starts_with("__shfl")) return Synchronization::shuffle;
    const bool multiplies = name.starts_with("mma") || name.starts_with("wgmma");
    return multiplies ? Synchronization::tensor_core : Synchronization::other_of_warp;
}

}  // namespace

Multiprocessor& Multiprocessor::of_this_thread() {
    thread_local Multiprocessor multiprocessor;
    running_here = &multiprocessor;
    return multiprocessor;
}

std::optional<Failure> Multiprocessor::run(const KernelCall& call, uint3 block, const dim3& threads,
                                           const dim3& blocks, const void* launch,
                                           std::optional<std::uint64_t> seed, GridBarrier* grid_barrier,
                                           Cluster* cluster) {
    call_ = &call;
    grid_barrier_ = grid_barrier;
    cluster_ = with_barrier_ = cluster;
    awaiting_cluster_ = 0;
    grid_arrivals_ = 0;
    launch_ = launch;
    counter_ = counter_here();
    size_ = threads.x * threads.y * threads.z;
    started_ = 0;
    next_index_ = {};
    alive_ = size_;
    if (stack_bytes_ != Fiber::stack_bytes()) {
        idle_.clear();
        fibers_.clear();
        stack_bytes_ = Fiber::stack_bytes();
    }
    block_index = block;
    block_size = threads;
    grid_size = blocks;
    if (counter_ != nullptr && !counter_->begin_block(size_)) counter_ = nullptr;
    in_order_.goes_on = !seed && counter_ == nullptr && cluster == nullptr && !thread_sanitizer;
    if (!in_order_.goes_on) begin_states();
    Mbarrier(block_barrier).init(size_);
    atomic_operations = 0;  // so that the threads' order does not depend on earlier blocks
    order_.clear();
    random_.reset();
    if (seed) {
        random_.emplace(static_cast<std::minstd_rand::result_type>(*seed));
        order_.resize(size_);
        std::iota(order_.begin(), order_.end(), std::uint16_t{0});
        std::shuffle(order_.begin(), order_.end(), *random_);
    }

    forget_order();

    Fiber& first = idle_fiber();
    running_ = &first;
    is_running_ = true;
#ifdef __wasm__  // where no function may have a `try` around a wait
    try {
        main_.run_until_back(first.suspended());
    } catch (const KernelHasFailed&) {
    } catch (...) {
        note_exception();
    }
    running_ = &main_;
#else
    main_.switch_to(first.suspended());
#endif
    if (alive_ > 0) {
        if (!failure_) failure_ = Failure{cudaErrorLaunchTimeout, why_none_goes_on()};
        give_up_threads();
    }
    is_running_ = false;
    if (cluster != nullptr) acquire(&end_of_cluster_s_block_);
    return std::exchange(failure_, std::nullopt);
}

void Multiprocessor::release_to(const void* launch) {
    if (!thread_sanitizer) return;
    for (const auto& fiber : fibers_) fiber->identity().release_to(launch);
    begin_engine();
}

/// Gives up the threads that have not ended, and forgets what they waited for.
void Multiprocessor::give_up_threads() {
    release_to(launch_);
    idle_.clear();
    fibers_.clear();
    ready_->clear();
    at_condition_.clear();
    at_barrier_->clear();
    nonzero_at_barrier_ = 0;
    for (ThreadMore& more : more_) more.at_cluster.reset();
    for (Warp& warp : warps_) warp.pending.clear();
    parts_.clear();
    gathering_ = 0;
}

/// Returns true if the next thread to run is one that has not been started. With a seed, it may be such a
/// thread even if started threads are ready.
[[gnu::always_inline]] inline bool Multiprocessor::may_start() {
    if (started_ == size_ || failure_) return false;
    return std::exchange(start_one_, false) || ready_->empty() || (random_ && (*random_)() % 2 == 0);
}

/// Sets the states of the block's threads and warps to those of a block of which no thread has been started.
void Multiprocessor::begin_states() {
    for (unsigned i = 0; i < size_; ++i) threads_[i].state = State::not_started;
    for (unsigned i = 0; i < size_; i += 32) {
        warps_[i / 32].lanes = size_ - i < 32 ? (1U << (size_ - i)) - 1 : ~0U;
        warps_[i / 32].ended = 0;
    }
}

/// Sets the state of the running thread, which has just been started.
[[gnu::always_inline]] inline void Multiprocessor::begin_thread_state(Thread& thread) {
    thread.index = thread_index;
    thread.state = State::running;
    thread.has_fenced = false;
    thread.to_release = false;
    thread.met = 0;
    thread.fiber = running_;
    if (!thread_sanitizer) return;
    more_[current_].changed = nullptr;
    more_[current_].copies.clear();
}

/// Does `work`, and records the exception that leaves it. In WebAssembly, run() records the exception.
template <class Work>
[[gnu::always_inline]] inline void Multiprocessor::note_exceptions(const Work& work) {
#ifdef __wasm__
    work();
#else
    try {
        work();
    } catch (...) {
        note_exception();
    }
#endif
}

/// Runs the threads of the block in order, until a thread has ended that has needed the engine.
[[gnu::noinline]] void Multiprocessor::run_in_order() {
    thread_index = {};  // for a fault before the first thread's index is needed
    note_exceptions([this] {
        if (call_->run_in_order != nullptr) {
            call_->run_in_order(call_->arguments, in_order_);
        } else {
            uint3 index{};
            for (unsigned i = 0; i < size_ && in_order_.goes_on; ++i, index = index_behind(index)) {
                thread_index = index;
                count_turn();
                call_->run(call_->kernel, call_->arguments);
            }
        }
        if (!in_order_.goes_on) return end_thread();
        started_ = size_;
        alive_ = 0;
    });
    in_order_.goes_on = false;
}

/// Sets what run_in_order() does not set: all threads before the running thread have ended.
[[gnu::noinline]] void Multiprocessor::know_states() {
    in_order_.goes_on = false;
    current_ = thread_index.x + block_size.x * (thread_index.y + block_size.y * thread_index.z);
    started_ = current_ + 1;
    begin_states();
    begin_thread_state(threads_[current_]);
    for (unsigned i = 0; i < current_; ++i) threads_[i].state = State::ended;
    for (unsigned i = 0; i < current_; i += 32) {
        Warp& warp = warps_[i / 32];
        warp.ended = current_ - i < 32 ? (1U << (current_ - i)) - 1 : ~0U;
        warp.lanes &= ~warp.ended;
    }
    alive_ -= current_;
    next_index_ = index_behind(thread_index);
}

/// Tells ThreadSanitizer that the engine takes over from the running thread, after all that thread's work.
void Multiprocessor::take_over() {
    release(this);
    begin_engine();
    acquire(this);
}

/// Releases at `at` the running thread's work, and the work that barriers have ordered before it.
void Multiprocessor::release_in_order(const void* at) {
    order();
    release(at);
}

/// Records that the running thread has failed.
void Multiprocessor::note_failure(cudaError_t error, const std::string& why) {
    keep_states();
    failure_ =
        Failure{error, fmt::format("block {}, {}: {}", text_of(block_index), thread_text(current_), why)};
}

/// Records that the running thread has failed, and stops its fiber forever.
void Multiprocessor::fail(cudaError_t error, std::string why) {
    take_over();
    note_failure(error, std::exchange(why, {}));
#ifdef __wasm__
    throw KernelHasFailed();
#else
    std::exchange(running_, &main_)->switch_to(main_.suspended());
    std::abort();
#endif
}

/// Records the exception that the running thread has thrown.
void Multiprocessor::note_exception() {
    take_over();
    try {
        throw;
    } catch (const std::exception& error) {
        note_failure(cudaErrorLaunchFailure, error.what());
    } catch (...) {
        note_failure(cudaErrorLaunchFailure, "an exception");
    }
}

[[gnu::always_inline]] inline void Multiprocessor::call_kernel() {
    note_exceptions([this] {
        running_->identity().take_for(block_index, thread_index, launch_);
        begin_thread(*running_);
        if (counter_ != nullptr) counter_->begin_thread(current_);
        call_->run(call_->kernel, call_->arguments);
        if (counter_ != nullptr) counter_->end_thread();
        if (thread_sanitizer) make_all_copies();
        if (cluster_ != nullptr) release_in_order(&end_of_cluster_s_block_);
        begin_engine();
        end_thread();
    });
}

/// The running thread has returned from the kernel. Releases the threads that wait only for this thread.
[[gnu::always_inline]] inline void Multiprocessor::end_thread() {
    threads_[current_].state = State::ended;
    --alive_;
    count_turn();
    if (with_barrier_ != nullptr)
        with_barrier_->end_thread(std::exchange(more_[current_].at_cluster, std::nullopt));
    if (!at_barrier_->empty() && at_barrier_->size() == alive_) release_barrier();
    const unsigned number = current_ / 32;
    Warp& warp = warps_[number];
    const std::uint32_t lane = 1U << current_ % 32;
    warp.lanes &= ~lane;
    warp.ended |= lane;
    if (!warp.pending.empty() || !parts_.empty()) release_groups(number);
}

/// Runs the next thread that has not been started, until it has ended.
[[gnu::always_inline]] inline void Multiprocessor::start_next() {
    count_turn();
    current_ = order_.empty() ? started_ : order_[started_];
    ++started_;
    thread_index = order_.empty() ? next_index_ : index_of(current_, block_size);
    next_index_ = index_behind(next_index_);
    begin_thread_state(threads_[current_]);
    call_kernel();
}

/// What a fiber does until it is idle.
void Multiprocessor::work() {
    if (in_order_.goes_on) run_in_order();
    while (may_start()) {
        start_next();
        if (one_thread_a_stack) break;
    }
    become_idle();
}

/// Lets the running fiber wait for work, and other fibers go on.
[[gnu::noinline]] void Multiprocessor::become_idle() {
    Fiber& self = *running_;
    idle_.push_back(&self);
    const Fiber::Suspended other = failure_ ? main_.suspended() : next();
    running_ = other.fiber;
    self.return_to(other);
}

/// Makes the exchanges of the warp and of parts of the block at which all threads have arrived that have
/// not ended.
void Multiprocessor::release_groups(unsigned number) {
    Warp& warp = warps_[number];
    std::erase_if(warp.pending, [&](Pending& pending) {
        if (pending.arrived != (pending.mask & warp.lanes)) return false;
        current_ = number * 32 + static_cast<unsigned>(std::countr_zero(pending.arrived));  // for errors
        release_lanes(number, pending);
        return true;
    });
    std::erase_if(parts_, [&](PendingPart& part) {
        if (part.arrived != alive_in(part)) return false;
        release_part(part);
        return true;
    });
}

/// The work of a fiber of this Multiprocessor.
void Multiprocessor::work_of(void* multiprocessor) {
#ifndef __wasm__  // where a fiber may return
    for (;;)
#endif
        static_cast<Multiprocessor*>(multiprocessor)->work();
}

/// Returns a fiber for a thread that has not been started.
Fiber& Multiprocessor::idle_fiber() {
    if (idle_.empty() || (one_thread_a_stack && fibers_.size() < size_ + spare_identities(size_))) {
        fibers_.push_back(std::make_unique<Fiber>(work_of, this));
        return *fibers_.back();
    }
    Fiber* fiber = nullptr;
    if (one_thread_a_stack) {
        fiber = idle_.front();  // so that all fibers take turns
        idle_.pop_front();
    } else {
        fiber = idle_.back();
        idle_.pop_back();
    }
    return *fiber;
}

/// Returns idle_fiber(), to which the running thread is to switch. The kernel fails if there is no memory.
Fiber::Suspended Multiprocessor::fiber_to_start() {
    std::string why;
    try {
        return idle_fiber().suspended();
    } catch (const std::bad_alloc&) {
        why = "the host has no memory for the stacks of threads that wait";
    } catch (const std::exception& error) {
        why = error.what();
    }
    fail(cudaErrorLaunchOutOfResources, std::exchange(why, {}));
}

/// Returns the fiber of the first ready thread, which is then not ready any more.
[[gnu::always_inline]] inline Fiber::Suspended Multiprocessor::pop_ready() {
    Thread& first = threads_[ready_->pop()];
    return {first.fiber, &first.place};
}

/// Runs `other` and then other fibers, until this thread is ready again. It reads running_here again after
/// the switch, so that of what follows only `self` comes from the thread's stack, which may not be in a
/// cache.
[[gnu::always_inline]] inline void Multiprocessor::switch_to(const Fiber::Suspended& other) {
    Multiprocessor& here = *running_here;
    const unsigned self = here.current_;
    Thread& thread = here.threads_[self];
    if (other.fiber != thread.fiber) {
        here.running_ = other.fiber;
        thread.fiber->switch_to(other, thread.place);
        running_here->current_ = self;
        thread_index = running_here->threads_[self].index;
    }
    running_here->threads_[self].state = State::running;
}

/// Returns next(), at once in the most frequent case.
[[gnu::always_inline]] inline Fiber::Suspended Multiprocessor::next_at_once() {
    return started_ < size_ || ready_->empty() || random_ ? next() : pop_ready();
}

/// Returns the fiber that runs next, or main_ if there is none.
Fiber::Suspended Multiprocessor::next() {
    if (may_start()) return fiber_to_start();
    if (ready_->empty()) wake_those_whose_condition_is_true();
    if (ready_->empty()) release_gathered();
    if (ready_->empty() && awaiting_cluster_ > 0) await_other_blocks();
    if (ready_->empty()) return main_.suspended();
    if (random_) ready_->bring_to_front(static_cast<unsigned>((*random_)() % ready_->size()));
    return pop_ready();
}

void Multiprocessor::wake_those_whose_condition_is_true() {
    const Ignored ignored;  // the engine reads here, not a CUDA thread
    std::erase_if(at_condition_, [this](unsigned number) {
        if (!more_[number].is_true(more_[number].of)) return false;
        count_wait();
        ready_->push(number);
        return true;
    });
}

/// Returns whether the address is in the guard below the running thread's stack, or near it.
bool Multiprocessor::is_below_stack(std::uintptr_t address) const {
    constexpr std::uintptr_t near = std::uintptr_t{16} << 10U;
    return address - reinterpret_cast<std::uintptr_t>(running_->stack()) + near < 2 * near;
}

/// Returns whether the address is on the running thread's stack.
bool Multiprocessor::has_on_stack(const void* address) const { return running_->has_on_stack(address); }

std::optional<std::string> Multiprocessor::thread_with_on_stack(const void* address) const {
    if (in_order_.goes_on) return std::nullopt;  // no thread has waited, so no other thread is running
    for (unsigned i = 0; i < size_; ++i) {
        const Thread& thread = threads_[i];
        const bool is_waiting = thread.state != State::not_started && thread.state != State::ended;
        if (i != current_ && is_waiting && thread.fiber->has_on_stack(address)) return thread_text(i);
    }
    return std::nullopt;
}

#if CUDABOOK_THREAD_SANITIZER

void Multiprocessor::begin_engine() {
    tell_held_read();
    accesses.order_first = false;
    accesses.stack_bytes = 0;
    main_.identity().take();
}

void Multiprocessor::begin_thread(Fiber& fiber) {
    const Thread& thread = threads_[current_];
    accesses.order_first = !thread.to_release || thread.met < barriers_;
    accesses.stack = reinterpret_cast<std::uintptr_t>(fiber.stack());
    accesses.stack_bytes = fiber.stack_size();
    fiber.identity().take();
}

void Multiprocessor::order() {
    Thread& thread = threads_[current_];
    while (thread.met < barriers_) {
        const BarrierPlace& next = places_[++thread.met % barrier_places];
        if (next.is_used) acquire(&next.place);
    }
    thread.to_release = true;
    accesses.order_first = false;
}

/// Called before a thread waits at the barrier.
void Multiprocessor::come_to_barrier() {
    Thread& thread = threads_[current_];
    if (thread.met + barrier_places - 2 <= barriers_) order();
    if (!thread.to_release) return;
    BarrierPlace& here = places_[(barriers_ + 1) % barrier_places];
    here.is_used = true;
    release(&here.place);
    thread.to_release = false;
}

/// Called when the barrier is passed.
void Multiprocessor::pass_barrier() {
    BarrierPlace& next = places_[(++barriers_ + 1) % barrier_places];
    if (next.is_used) forget_uses(&next.place, sizeof next.place);
    next.is_used = false;
    // The block's barrier does not order other blocks' uses of its shared memory.
    if (cluster_ == nullptr || cluster_->blocks() == 1) forget_touched();
}

/// Called when a block begins.
void Multiprocessor::forget_order() {
    if (barriers_ > 0) forget_uses(places_.data(), sizeof places_);
    if (barriers_ > 0) places_ = {};
    barriers_ = 0;
    if (some_have_met_) forget_uses(meetings_.data(), sizeof meetings_);
    some_have_met_ = false;
}

void order_this_thread() { running_here->order(); }
void note_atomic(const void* memory) { running_here->note_atomic(memory); }
bool has_changed_atomically(const void* memory) {
    return is_cuda_thread() && running_here->has_changed_atomically(memory);
}

#endif

/// Called when all threads of the block wait at a barrier of the grid.
void Multiprocessor::step_of_grid() {
    BarrierPlace& here = places_[(barriers_ + 1) % barrier_places];
    if (grid_step_ != GridStep::wait) {
        acquire(&here.place);
        release(grid_barrier_->place(grid_arrivals_++));
        grid_barrier_->arrive();
    }
    if (grid_step_ == GridStep::arrive) return;
    const std::uint64_t phase = grid_arrivals_ - 1;
    progress.is_at_grid_barrier = true;
    const bool has_ended = grid_barrier_->wait(phase);
    progress.is_at_grid_barrier = false;
    if (!has_ended)
        fail(cudaErrorLaunchTimeout, fmt::format("waits at the barrier of the grid, and {} blocks have ended",
                                                 grid_barrier_->ended_blocks()));
    acquire(grid_barrier_->place(phase));
    release(&here.place);
    here.is_used = true;
}

void Multiprocessor::release_barrier() {
    if (grid_step_ != GridStep::none) step_of_grid();
    count_wait();
    pass_barrier();
    if (counter_ != nullptr) counter_->count_barrier();
    arrived_ = {static_cast<int>(at_barrier_->size()), static_cast<int>(nonzero_at_barrier_)};
    std::swap(ready_, at_barrier_);  // no thread was ready
    nonzero_at_barrier_ = 0;
}

/// With a sanitizer, as with compute-sanitizer's synccheck, all threads of a block must wait at the same
/// line, because CUDA does not define what happens if they wait at different barriers. On today's GPUs, and
/// here without a sanitizer, different barriers count as the same barrier.
void Multiprocessor::check_line(CodeLine line) {
    if (!address_sanitizer && !thread_sanitizer) return;
    if (at_barrier_->empty()) barrier_line_ = line;
    const CodeLine first = barrier_line_;
    if (first.file == nullptr || line.file == nullptr) return;
    if (first.number == line.number && std::string_view(first.file) == line.file) return;
    fail(
        cudaErrorLaunchFailure,
        fmt::format(
            "waits at the barrier of {}:{}, and other threads of its block wait at the barrier of {}:{}: all "
            "threads of a block must come to the same one",
            line.file, line.number, first.file, first.number));
}

void Multiprocessor::check_step(GridStep step) {
    if (step != GridStep::none && grid_barrier_ == nullptr)
        fail(cudaErrorLaunchFailure,
             "a barrier of the grid, and the launch is not cooperative: cudaLaunchCooperativeKernel()");
    if (at_barrier_->empty()) grid_step_ = step;
    if (grid_step_ != step)
        fail(cudaErrorLaunchFailure,
             "waits at a barrier of the block or the grid, and others of its block wait at another one");
}

Arrived Multiprocessor::await_block(bool value, CodeLine line, GridStep step) {
    keep_states();
    come_to_barrier();
    const Waiting waiting(*this);
    check_line(line);
    if (step != grid_step_ || step != GridStep::none) check_step(step);
    nonzero_at_barrier_ += value ? 1 : 0;
    if (at_barrier_->size() + 1 == alive_) {
        const Arrived arrived{static_cast<int>(alive_), static_cast<int>(nonzero_at_barrier_)};
        release_barrier();
        return arrived_ = arrived;
    }
    at_barrier_->push(current_);
    threads_[current_].state = State::at_barrier;
    switch_to(next_at_once());
    return running_here->arrived_;
}

/// Adds an exchange for which no lane waits yet. This is a function of its own so that await_warp() has a
/// small frame: resuming a lane that waits there reads its frames from memory.
[[gnu::noinline]] std::vector<Multiprocessor::Pending>::iterator Multiprocessor::add_exchange(
    Warp& warp, std::uint32_t mask, Exchanging exchange, const void* place) {
    Pending& added = warp.pending.emplace_back();
    added.mask = mask;
    added.exchange = exchange;
    added.place = place;
    if (place != nullptr) ++gathering_;
    return std::prev(warp.pending.end());
}

std::uint64_t Multiprocessor::await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument,
                                         Exchanging exchange, const char* name) {
    keep_states();
    const void* const place = exchange == give_lanes ? reinterpret_cast<const void*>(argument) : nullptr;
    Warp& warp = warps_[current_ / 32];
    const unsigned lane = current_ % 32;
    const unsigned first = current_ - lane + static_cast<unsigned>(std::countr_zero(mask)) % 32;
    const Waiting waiting(*this, exchange == exchange_nothing ? &meetings_[first] : nullptr);
    if ((mask >> lane & 1U) == 0) fail(cudaErrorLaunchFailure, none_of_its_lanes(name, mask));
    auto found = std::ranges::find_if(warp.pending, [&](const Pending& p) {
        return p.mask == mask && p.exchange == exchange && p.place == place;
    });
    if (found == warp.pending.end()) found = add_exchange(warp, mask, exchange, place);
    found->lanes.given[lane] = given;
    found->lanes.argument[lane] = argument;
    found->arrived |= 1U << lane;
    Thread& thread = threads_[current_];
    if (found->arrived == (mask & warp.lanes)) {
        release_lanes(current_ / 32, *found);
        warp.pending.erase(found);
    } else {
        thread.state = State::in_warp;
        thread.name = name;
        thread.mask = mask;
        switch_to(next_at_once());
    }
    return thread.taken;
}

/// Returns the number of the part's threads that have not ended.
unsigned Multiprocessor::alive_in(const PendingPart& part) const {
    unsigned alive = 0;
    for (unsigned warp = part.first / 32; 32 * warp < part.first + part.size(); ++warp)
        if (32 * warp < size_) alive += static_cast<unsigned>(std::popcount(warps_[warp].lanes));
    return alive;
}

/// Parts are numbered like a binary tree's nodes: part 1 has 1024 threads, parts 2 and 3 have 512 threads,
/// and so on.
Multiprocessor::Meeting& Multiprocessor::meeting_of(const PendingPart& part) {
    return meetings_[most_threads + (most_threads + part.first) / part.size()];
}

void Multiprocessor::await_part(unsigned first, unsigned size, std::uint64_t given, PartExchanging exchange,
                                const char* name) {
    const Waiting waiting(*this, &meetings_[most_threads + (most_threads + first) / size]);
    auto found = std::ranges::find_if(
        parts_, [&](const PendingPart& part) { return part.first == first && part.size() == size; });
    if (found == parts_.end())
        found = parts_.insert(found, {first, exchange, name, 0, std::vector<std::uint64_t>(size)});
    if (found->exchange != exchange)
        fail(cudaErrorLaunchFailure,
             fmt::format("waits in {}, and others of its tile wait in {}", name, found->name));
    found->given[current_ - first] = given;
    if (++found->arrived == alive_in(*found)) {
        release_part(*found);
        parts_.erase(found);
        return;
    }
    Thread& thread = threads_[current_];
    thread.state = State::in_part;
    thread.name = name;
    thread.mask = size;
    switch_to(next());
}

/// Called when all threads of the part have arrived.
void Multiprocessor::release_part(PendingPart& part) {
    Refusal refused{};
    {
        const Ignored ignored;
        part.exchange(part.given.data(), part.size(), refused);
    }
    if (refused[0] != 0) fail(cudaErrorLaunchFailure, refused.data());
    some_have_met_ = true;
    ++meeting_of(part).number;
    count_wait();
    for (unsigned i = 0; i < part.size(); ++i)
        if (part.given[i] != 0 && threads_[part.first + i].state == State::in_part)
            ready_->push(part.first + i);
}

/// Releases the lanes that gather at a place. Called when no further lane can be expected there.
void Multiprocessor::release_gathered() {
    yields_ = 0;
    if (gathering_ == 0) return;
    for (unsigned number = 0; 32 * number < size_; ++number)
        std::erase_if(warps_[number].pending, [&](Pending& pending) {
            if (pending.place == nullptr) return false;
            release_lanes(number, pending);
            return true;
        });
}

/// Makes the exchange of the lanes that have arrived, and lets the waiting lanes go on.
void Multiprocessor::release_lanes(unsigned warp, Pending& pending) {
    Exchange& exchange = pending.lanes;
    exchange.lanes = pending.arrived;
    exchange.ended = pending.mask & warps_[warp].ended;
    if (pending.place != nullptr) --gathering_;
    {
        const Ignored ignored;  // an exchange is no race, even of data on the lanes' stacks
        pending.exchange(exchange);
    }
    if (exchange.refused[0] != 0) fail(cudaErrorLaunchFailure, exchange.refused.data());
    if (pending.exchange == exchange_nothing) {
        some_have_met_ = true;
        ++meetings_[warp * 32 + static_cast<unsigned>(std::countr_zero(pending.mask))].number;
    }
    count_wait();
    for (std::uint32_t lanes = pending.arrived; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        Thread& thread = threads_[warp * 32 + lane];
        thread.taken = exchange.taken[lane];
        if (thread.state == State::in_warp) ready_->push(warp * 32 + lane);
    }
}

void Multiprocessor::await_condition(bool (*is_true)(const void* of), const void* of, const char* name) {
    if (is_true(of)) return;
    const Waiting waiting(*this);
    threads_[current_].state = State::at_condition;
    threads_[current_].name = name;
    more_[current_].is_true = is_true;
    more_[current_].of = of;
    at_condition_.push_back(current_);
    switch_to(next());
}

// ----- Clusters

/// Returns the cluster. In a launch without clusters, each block is a cluster.
Cluster& Multiprocessor::cluster_or_block() {
    if (with_barrier_ == nullptr) {
        const Waiting engine(*this);  // threads of the previous block have used the object
        with_barrier_ = &cluster_of_one_.emplace(dim3(1), alive_);
    }
    return *with_barrier_;
}

void Multiprocessor::arrive_at_cluster(bool releases) {
    Cluster& cluster = cluster_or_block();
    ThreadMore& thread = more_[current_];
    if (thread.at_cluster)
        fail(cudaErrorLaunchFailure,
             "arrives at the barrier of the cluster again, and has not waited there since it arrived");
    if (releases) release_in_order(cluster.place(cluster.phase()));
    const Waiting engine(*this);
    thread.at_cluster = cluster.phase();
    cluster.arrive();
}

void Multiprocessor::await_cluster() {
    struct Phase {
        const Cluster& cluster;
        std::uint64_t number;
    };
    ThreadMore& thread = more_[current_];
    if (!thread.at_cluster)
        fail(cudaErrorLaunchFailure, "waits at the barrier of the cluster, and has not arrived there");
    const Phase phase{*with_barrier_, *std::exchange(thread.at_cluster, std::nullopt)};
    const auto has_ended = [](const void* of) {
        const auto& waited_for = *static_cast<const Phase*>(of);
        return waited_for.cluster.phase() != waited_for.number;
    };
    ++awaiting_cluster_;
    await_condition(has_ended, &phase, "the barrier of the cluster");
    --awaiting_cluster_;
    acquire(with_barrier_->place(phase.number));
    order();
}

/// Waits for other blocks at the cluster's barrier. Called when no thread of this block can go on.
void Multiprocessor::await_other_blocks() {
    const std::uint64_t phase = with_barrier_->phase();
    wake_those_whose_condition_is_true();
    if (!ready_->empty()) return;
    progress.is_at_grid_barrier = true;
    const bool has_ended = with_barrier_->await_end_of(phase);
    progress.is_at_grid_barrier = false;
    if (has_ended) wake_those_whose_condition_is_true();
}

void Multiprocessor::let_others_run() {
    const Waiting waiting(*this);
    if (!at_condition_.empty()) wake_those_whose_condition_is_true();
    if (++yields_ > size_ || (ready_->empty() && started_ == size_)) release_gathered();
    if (ready_->empty() && started_ == size_) return;
    ready_->push(current_);
    // A thread that has not been started runs first: the caller may wait for something that it does.
    start_one_ = started_ < size_;
    switch_to(start_one_ ? fiber_to_start() : next());
}

bool Multiprocessor::has_copies_to_await() const {
    const Ignored ignored;
    return std::ranges::any_of(more_[current_].copies, [](const auto& commit) { return !commit.empty(); });
}

// For ThreadSanitizer, the engine uses the lists of copies, but the thread itself makes the copies.

void Multiprocessor::copy_later(const Copy& copy) {
    const Waiting engine(*this);
    auto& copies = more_[current_].copies;
    if (copies.empty()) copies.emplace_back();
    copies.back().push_back(copy);
}

void Multiprocessor::launch_later(PendingLaunch launch) {
    const Waiting engine(*this);
    launches_.push_back(std::move(launch));
}

void Multiprocessor::commit_copies() {
    const Waiting engine(*this);
    auto& copies = more_[current_].copies;
    if (copies.empty()) copies.emplace_back();
    copies.emplace_back();
}

void Multiprocessor::make_copies(std::size_t but) {
    std::vector<Copy> now;
    {
        const Waiting engine(*this);
        auto& copies = more_[current_].copies;
        while (copies.size() > but + 1) {
            now.insert(now.end(), copies.front().begin(), copies.front().end());
            copies.erase(copies.begin());
        }
    }
    for (const Copy& copy : now) {
        copy_memory(copy.to, copy.from, copy.bytes);
        see_write(static_cast<char*>(copy.to) + copy.bytes, copy.zeros);
        std::memset(static_cast<char*>(copy.to) + copy.bytes, 0, copy.zeros);
    }
    const Waiting engine(*this);
    std::vector<Copy>().swap(now);
}

void Multiprocessor::make_all_copies() {
    if (more_[current_].copies.empty()) return;
    commit_copies();
    make_copies(0);
    const Waiting engine(*this);
    more_[current_].copies.clear();
}

std::string Multiprocessor::thread_text(unsigned thread) const {
    return "thread " + text_of(index_of(thread, block_size));
}

/// Returns a text that names the waiting threads. It names neighbours in the same state together.
std::string Multiprocessor::why_none_goes_on() const {
    const auto state_text = [this](unsigned i) -> std::string {
        const Thread& thread = threads_[i];
        switch (thread.state) {
            case State::at_barrier:
                return grid_step_ == GridStep::none ? "at __syncthreads()" : "at the barrier of the grid";
            case State::in_warp:
                return fmt::format("in {} for lanes {}", thread.name, lanes_text(thread.mask));
            case State::in_part:
                return fmt::format("in {} of a tile of {} threads", thread.name, thread.mask);
            case State::at_condition:
                return fmt::format("for {}", thread.name);
            default:
                return {};
        }
    };
    constexpr int most_named = 4;
    std::string waiting;
    int named = 0;
    for (unsigned first = 0; first < size_;) {
        const std::string text = state_text(first);
        unsigned last = first;
        while (last + 1 < size_ && state_text(last + 1) == text) ++last;
        if (!text.empty() && ++named <= most_named) {
            waiting += waiting.empty() ? "" : "; ";
            waiting += thread_text(first);
            if (last > first) waiting += " to " + text_of(index_of(last, block_size));
            waiting += (last > first ? " wait " : " waits ") + text;
        }
        first = last + 1;
    }
    if (named > most_named) waiting += "; others wait too";
    const unsigned ended = size_ - alive_;
    if (ended > 0) waiting += fmt::format("; {} of {} threads have ended", ended, size_);
    return fmt::format("block {}: no thread can go on: {}", text_of(block_index), waiting);
}

// ----- What device code calls

namespace {

/// Returns the multiprocessor of the running thread, after run_in_order()'s missing states have been set.
Multiprocessor& scheduler() {
    running_here->keep_states();
    return *running_here;
}

}  // namespace

// Without counting, await_block() and await_warp() call the multiprocessor's functions by tail calls, which
// need no frame. So the multiprocessor's functions, not these, call keep_states().

namespace {

[[gnu::noinline]] Arrived await_block_counted(bool value, CodeLine line, GridStep step, const void* place) {
    const CountingStopped stopped(Waits::for_all, Synchronization::barrier, place);
    const auto result = running_here->await_block(value, line, step);
    stopped.go_on();
    return result;
}

[[gnu::noinline]] std::uint64_t await_warp_counted(std::uint32_t mask, std::uint64_t given,
                                                   std::uint64_t argument, Exchanging exchange,
                                                   const char* name, const void* place) {
    const CountingStopped stopped(mask == ~0U ? Waits::for_all : Waits::for_some, synchronization_of(name),
                                  place);
    const auto result = running_here->await_warp(mask, given, argument, exchange, name);
    stopped.go_on();
    return result;
}

}  // namespace

Arrived await_block(bool value, CodeLine line, GridStep step) {
    return counting == nullptr ? running_here->await_block(value, line, step)
                               : await_block_counted(value, line, step, CUDABOOK_CALLER);
}

bool is_cooperative() { return running_here->is_cooperative(); }

void arrive_at_cluster(bool releases) {
    const CountingStopped stopped(Waits::for_some, Synchronization::condition, CUDABOOK_CALLER);
    scheduler().arrive_at_cluster(releases);
    stopped.go_on();
}

void await_cluster() {
    const CountingStopped stopped(Waits::for_some, Synchronization::condition, CUDABOOK_CALLER);
    scheduler().await_cluster();
    stopped.go_on();
}

ClusterPlace cluster_place() {
    const Cluster* const cluster = running_here->cluster();
    if (cluster == nullptr) return {{1, 1, 1}, 0, false};
    const dim3& size = cluster->size();
    const unsigned rank =
        block_index.x % size.x + size.x * (block_index.y % size.y + size.y * (block_index.z % size.z));
    return {size, rank, true};
}

unsigned shared_rank(const void* address, const char* name) {
    const ClusterPlace here = cluster_place();
    if (is_in_shared_memory(address)) return here.rank;
    if (here.size_given)
        if (const auto rank = rank_of_owner(*running_here->cluster(), address)) return *rank;
    fail_kernel(std::string(name) + " needs an address in shared memory");
}

void* map_shared_rank(const void* address, unsigned rank) {
    const unsigned from = shared_rank(address, "map_shared_rank()");
    if (rank == from) return const_cast<void*>(address);
    const unsigned blocks = count_of(cluster_place().size);
    if (rank >= blocks)
        fail_kernel(fmt::format("map_shared_rank() to block {}, and the cluster has {} {}", rank, blocks,
                                blocks == 1 ? "block" : "blocks"));
    return address_in_block(*running_here->cluster(), rank, from, address);
}

void await_part(unsigned first, unsigned size, std::uint64_t given, PartExchanging exchange,
                const char* name) {
    const CountingStopped stopped(Waits::for_some, Synchronization::condition, CUDABOOK_CALLER);
    scheduler().await_part(first, size, given, exchange, name);
    stopped.go_on();
}

std::uint64_t await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument, Exchanging exchange,
                         const char* name) {
    return counting == nullptr ? running_here->await_warp(mask, given, argument, exchange, name)
                               : await_warp_counted(mask, given, argument, exchange, name, CUDABOOK_CALLER);
}

std::uint32_t lanes_here() {
    const void* const place = CUDABOOK_CALLER;
    const CountingStopped stopped(Waits::for_some);
    const auto result = static_cast<std::uint32_t>(
        scheduler().await_warp(~0U, 0, reinterpret_cast<std::uintptr_t>(place), give_lanes, "__activemask"));
    stopped.go_on();
    return result;
}

void await_condition(bool (*is_true)(const void* of), const void* of, const char* name) {
    const CountingStopped stopped(Waits::for_some, Synchronization::condition, CUDABOOK_CALLER);
    scheduler().await_condition(is_true, of, name);
    stopped.go_on();
}

void yield() {
    const CountingStopped stopped(Waits::for_some);
    scheduler().let_others_run();
    stopped.go_on();
}

void let_others_run() { scheduler().let_others_run(); }

void copy_later(const Copy& copy) { scheduler().copy_later(copy); }
void commit_copies() { scheduler().commit_copies(); }
void make_copies(std::size_t but) { scheduler().make_copies(but); }
void make_all_copies() { scheduler().make_all_copies(); }
bool has_fenced() { return scheduler().has_fenced(); }
void fence() { scheduler().fence(); }

void fail_kernel(std::string why) { fail_kernel(cudaErrorLaunchFailure, std::move(why)); }
void fail_kernel(cudaError_t error, std::string why) {
    if (is_cuda_thread()) running_here->fail(error, std::move(why));
    print_line(why);  // the host has called it
    std::abort();
}
void fail_kernel(const char* why, ...) {
    std::va_list arguments;
    va_start(arguments, why);
    const Refusal text = printed(why, arguments);
    va_end(arguments);
    fail_kernel(std::string(text.data()));
}
void fail_kernel(cudaError_t error, const char* why, ...) {
    std::va_list arguments;
    va_start(arguments, why);
    const Refusal text = printed(why, arguments);
    va_end(arguments);
    fail_kernel(error, std::string(text.data()));
}

void refuse(Refusal& refusal, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    refusal = printed(format, arguments);
    va_end(arguments);
}

AddressSpace address_space_of(const void* address) {
    if (is_in_shared_memory(address)) return AddressSpace::shared;
    if (is_cuda_thread() && cluster_place().size_given && rank_of_owner(*running_here->cluster(), address))
        return AddressSpace::cluster;
    return is_cuda_thread() && running_here->has_on_stack(address) ? AddressSpace::local
                                                                   : AddressSpace::global;
}

std::optional<std::string> thread_with_on_stack(const void* address) {
    return is_cuda_thread() ? running_here->thread_with_on_stack(address) : std::nullopt;
}

bool has_copies_to_await() { return is_cuda_thread() && running_here->has_copies_to_await(); }

bool is_cuda_thread() { return running_here != nullptr && running_here->is_running(); }

bool is_below_stack(std::uintptr_t address) {
    return is_cuda_thread() && running_here->is_below_stack(address);
}

void fail_assertion(const char* assertion, const char* file, unsigned line, const char* function) {
    if (!is_cuda_thread()) {
        fmt::print(stderr, "{}:{}: {}: Assertion `{}' failed.\n", file, line, function, assertion);
        std::abort();
    }
    const auto text = [](const uint3& index) { return fmt::format("[{},{},{}]", index.x, index.y, index.z); };
    fmt::print(stderr, "{}:{}: {}: block: {}, thread: {} Assertion `{}` failed.\n", file, line, function,
               text(block_index), text(thread_index), assertion);
    fail_kernel(cudaErrorAssert, fmt::format("`{}` at {}:{}", assertion, file, line));
}

}  // namespace cudabook::emulation
