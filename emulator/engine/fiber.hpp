// A coroutine with a stack of its own. It runs until it switches to another coroutine.
#pragma once

#include <cstddef>

#include <boost/context/stack_context.hpp>

#include "emulator/checks/identity.hpp"
#include "emulator/checks/sanitizer.hpp"
#include "emulator/engine/context.hpp"

namespace cudabook::emulation {

/// A stack and the work that runs on it. Any fiber can switch to any other fiber of the same operating
/// system's thread. AddressSanitizer is told of each switch. Destroying a fiber abandons its work where it
/// stands, as a GPU abandons threads: no destructors run for the objects on its stack.
class Fiber {
  public:
    /// Sets the stack's size of the fibers that are made from now on. `bytes` is CUDA's limit for a
    /// thread's stack. Frames on the host are larger than on a GPU, so these stacks are larger, too: 256
    /// KB, and 8 bytes more for each byte above CUDA's default.
    static void set_stack_limit(std::size_t bytes);

    /// Returns the stack's size of the fibers that are made now.
    static std::size_t stack_bytes();

    /// The fiber of the caller itself, on the stack that it already has.
    Fiber() = default;

    /// Calls work(of), which may return only after return_to(), at the first switch to this fiber. Errors:
    /// std::bad_alloc.
    Fiber(void (*work)(void* of), void* of);

    /// The fiber must not be running.
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// A fiber that does not run, and the place at which it goes on.
    struct Suspended {
        Fiber* fiber;
        Context* place;
    };

    /// Returns this fiber, whose place is stored in the fiber itself.
    Suspended suspended() { return {this, &place_}; }

    /// Runs `next` until some fiber switches back to this fiber. This fiber must be running. Its place is
    /// stored in `place` or, without `place`, in the fiber itself.
    [[gnu::always_inline]] void switch_to(const Suspended& next, Context& place) {
        begin_switch(*next.fiber);
        place.switch_to(*next.place);
        end_switch();
    }
    void switch_to(const Suspended& next) { switch_to(next, place_); }

    /// Runs `next` as switch_to() does, when `work` has returned or, where work cannot return, at once. The
    /// next switch to this fiber calls `work` again or, where it has not returned, lets it go on.
    void return_to(const Suspended& next) {
#ifdef __wasm__
        Context::return_to(*next.place);
#else
        if (next.fiber != this) switch_to(next);
#endif
    }

    /// Does the same as switch_to() for the caller's own stack. In WebAssembly, throws the exception that
    /// leaves another fiber.
    void run_until_back(const Suspended& next) {
#ifdef __wasm__
        place_.run_until_back(*next.place);
#else
        switch_to(next);
#endif
    }

    /// Returns the identity of the CUDA threads on this stack; for the caller's own stack, the identity of
    /// the operating system's thread.
    Identity& identity() { return identity_; }

    /// stack() returns the stack's lowest address, or null if unknown; stack_size() its bytes, or 0.
    [[nodiscard]] const void* stack() const { return stack_; }
    [[nodiscard]] std::size_t stack_size() const { return stack_size_; }
    /// Returns whether the address is on the stack.
    [[nodiscard]] bool has_on_stack(const void* address) const {
        const auto* const begin = static_cast<const std::byte*>(stack_);
        const auto* const byte = static_cast<const std::byte*>(address);
        return byte >= begin && byte < begin + stack_size_;
    }

  private:
    static void run(void* fiber);

#if CUDABOOK_ADDRESS_SANITIZER
    void begin_switch(Fiber& next);
    void end_switch();
    static thread_local Fiber* left_;  ///< the fiber that ran before
#else
    void begin_switch(Fiber&) {}
    void end_switch() {}
#endif

    void (*work_)(void*) = nullptr;
    void* of_ = nullptr;
    const void* stack_ = nullptr;
    std::size_t stack_size_ = 0;
    [[maybe_unused]] void* fake_stack_ = nullptr;  ///< AddressSanitizer's
    [[no_unique_address]] Identity identity_;
    bool guarded_ = false;                  ///< a guard page lies below the stack
    boost::context::stack_context memory_;  ///< the stack's memory; empty for the caller's own stack
    Context place_;                         ///< where it goes on, unless switch_to() was given another place
};

}  // namespace cudabook::emulation
