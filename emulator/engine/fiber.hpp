// A coroutine with a stack of its own, which runs until it switches to another one.
#pragma once

#include <cstddef>
#include <functional>

#include <boost/context/fiber.hpp>

#include "emulator/checks/identity.hpp"

namespace cudabook::emulation {

/// Boost.Context's fiber, of which any can switch to any other one of the same operating system's thread.
/// AddressSanitizer is told of each switch. A fiber that ends its life is given up where it stands, as a
/// GPU's threads are: no destructor of what is on its stack runs.
class Fiber {
  public:
    /// The caller itself, on the stack that it has.
    Fiber() = default;

    /// Runs `work`, which never returns, when it is first switched to. Errors: std::bad_alloc.
    explicit Fiber(std::function<void()> work);

    /// It does not run now.
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
    /// Where a fiber goes on. Boost's destructor would throw an exception there, which no function that is
    /// noexcept lets through.
    union Context {
        boost::context::fiber fiber;
        Context() : fiber() {}
        ~Context() {}  // NOLINT(modernize-use-equals-default): it would be deleted
        Context(const Context&) = delete;
        Context& operator=(const Context&) = delete;
    };

    void begin_switch(Fiber& next);
    void end_switch(boost::context::fiber from);

    static thread_local Fiber* left_;  ///< the one that ran before

    std::function<void()> work_;
    const void* stack_ = nullptr;
    std::size_t stack_size_ = 0;
    [[maybe_unused]] void* fake_stack_ = nullptr;  ///< AddressSanitizer's
    [[no_unique_address]] Identity identity_;
    bool guarded_ = false;                  ///< by a page below its stack
    boost::context::stack_context memory_;  ///< of the stack; of none: the caller's own
    Context context_;
};

}  // namespace cudabook::emulation
