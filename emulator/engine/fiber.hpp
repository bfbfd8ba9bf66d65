// A coroutine with a stack of its own, which runs until it switches to another one.
#pragma once

#include <cstddef>
#include <functional>

#include <boost/context/stack_context.hpp>

#include "emulator/checks/identity.hpp"
#include "emulator/checks/sanitizer.hpp"
#include "emulator/engine/context.hpp"

namespace cudabook::emulation {

/// A stack and what runs there. Any fiber can switch to any other fiber of the same operating system's
/// thread. AddressSanitizer is told of each switch. Destroying a fiber abandons it where it stands, as a GPU
/// abandons threads: no destructors run for the objects on its stack.
class Fiber {
  public:
    /// Sets the stack's size of the fibers that are made from now on, by CUDA's limit in bytes. A host's
    /// frames are larger than a GPU's, so the stacks are, too: 256 KB, and 8 bytes for each byte above CUDA's
    /// default.
    static void set_stack_limit(std::size_t bytes);

    /// Returns the stack's size of the fibers that are made now.
    static std::size_t stack_bytes();

    /// The caller itself, on its own stack.
    Fiber() = default;

    /// Runs `work`, which must never return, at the first switch to this fiber. Errors: std::bad_alloc.
    explicit Fiber(std::function<void()> work);

    /// The fiber must not be running.
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Runs `next` until some fiber switches back to this fiber. This fiber must be running.
    [[gnu::always_inline]] void switch_to(Fiber& next) {
        begin_switch(next);
        context_.switch_to(next.context_);
        end_switch();
    }

    /// The identity of the CUDA threads on this stack. For the caller's own stack, the identity of its
    /// operating system's thread.
    Identity& identity() { return identity_; }

    /// The lowest address and the bytes of the stack; null and 0 if unknown.
    [[nodiscard]] const void* stack() const { return stack_; }
    [[nodiscard]] std::size_t stack_size() const { return stack_size_; }

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

    std::function<void()> work_;
    const void* stack_ = nullptr;
    std::size_t stack_size_ = 0;
    [[maybe_unused]] void* fake_stack_ = nullptr;  ///< AddressSanitizer's
    [[no_unique_address]] Identity identity_;
    bool guarded_ = false;                  ///< a guard page lies below the stack
    boost::context::stack_context memory_;  ///< the stack's memory; none for the caller's own stack
    Context context_;
};

}  // namespace cudabook::emulation
