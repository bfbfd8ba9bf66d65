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
    /// Sets the stack size of fibers that are made from now on. `bytes` is CUDA's limit for a thread's stack.
    /// Stack frames are larger on the host than on a GPU, so a fiber's stack has 256 KB, and 8 bytes more for
    /// each byte by which `bytes` exceeds CUDA's default.
    static void set_stack_limit(std::size_t bytes);

    /// Returns the stack size of fibers that are made now, in bytes.
    static std::size_t stack_bytes();

    /// Makes a fiber for the calling code, which keeps the stack that it already has.
    Fiber() = default;

    /// Makes a fiber with a new stack. The first switch to this fiber calls work(of), which may return only
    /// after it has called return_to(). Throws std::bad_alloc if there is no memory for the stack.
    Fiber(void (*work)(void* of), void* of);

    /// The fiber must not be running.
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// A suspended fiber, and the context in which it resumes.
    struct Suspended {
        Fiber* fiber;
        Context* place;
    };

    /// Returns this fiber with the context that is stored in the fiber itself.
    Suspended suspended() { return {this, &place_}; }

    /// Suspends this fiber, which must be running, and resumes `next`. Returns when a fiber switches back to
    /// this fiber. This fiber's context is stored in `place` or, without `place`, in the fiber itself.
    [[gnu::always_inline]] void switch_to(const Suspended& next, Context& place) {
        begin_switch(*next.fiber);
        place.switch_to(*next.place);
        end_switch();
    }
    void switch_to(const Suspended& next) { switch_to(next, place_); }

    /// Call this at the end of `work`, to switch to `next`. In WebAssembly, the switch happens when `work`
    /// has returned, and the next switch to this fiber calls `work` again. Elsewhere, `work` must not return:
    /// the switch happens at once, and the next switch to this fiber returns from this function.
    void return_to(const Suspended& next) {
#ifdef __wasm__
        Context::return_to(*next.place);
#else
        if (next.fiber != this) switch_to(next);
#endif
    }

    /// Does what switch_to() does, for the fiber of the caller's own stack. In WebAssembly, an exception that
    /// leaves the work of another fiber is thrown from this function.
    void run_until_back(const Suspended& next) {
#ifdef __wasm__
        place_.run_until_back(*next.place);
#else
        switch_to(next);
#endif
    }

    /// Returns the identity under which ThreadSanitizer knows the CUDA threads on this stack. For the
    /// caller's own stack, this is the identity of the operating system's thread.
    Identity& identity() { return identity_; }

    /// stack() returns the stack's lowest address, or null if it is unknown. stack_size() returns the stack's
    /// size in bytes, or 0 if it is unknown.
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
    static thread_local Fiber* left_;  ///< the fiber that the last switch suspended
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
    Context place_;  ///< where this fiber resumes, unless switch_to() was given a `place`
};

}  // namespace cudabook::emulation
