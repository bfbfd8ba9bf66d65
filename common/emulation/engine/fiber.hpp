// A coroutine with a stack of its own, which runs until it switches to another one.
#pragma once

#include <cstddef>
#include <functional>

#include <boost/context/fiber.hpp>

#include "common/emulation/checks/identity.hpp"

namespace cudabook::emulation {

/// Boost.Context's fiber, of which any can switch to any other one of the same operating system's thread.
/// AddressSanitizer is told of each switch.
class Fiber {
  public:
    /// The caller itself, on the stack that it has.
    Fiber() = default;

    /// Runs `work` when it is first switched to. `work` returns the fiber that runs after it. Errors:
    /// std::bad_alloc.
    explicit Fiber(std::function<Fiber&()> work);

    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Runs `next` until some fiber switches back to this one, which must be the one that runs.
    void switch_to(Fiber& next);

    /// That of the CUDA threads on this stack; the caller's own is that of its operating system's thread.
    Identity& identity() { return identity_; }

    /// Its stack's lowest address, and its bytes; null and 0: not known.
    [[nodiscard]] const void* stack() const { return stack_; }
    [[nodiscard]] std::size_t stack_size() const { return stack_size_; }

  private:
    template <class Allocator>
    void begin(Allocator allocator, std::function<Fiber&()> work);
    void begin_switch(Fiber& next);
    void end_switch(boost::context::fiber from);

    static thread_local Fiber* left_;  ///< the one that ran before

    const void* stack_ = nullptr;
    std::size_t stack_size_ = 0;
    [[maybe_unused]] void* fake_stack_ = nullptr;  ///< AddressSanitizer's
    bool ended_ = false;
    [[no_unique_address]] Identity identity_;
    bool guarded_ = false;           ///< by a page below its stack
    boost::context::fiber context_;  ///< where it goes on; the last member, because its end runs the others
};

}  // namespace cudabook::emulation
