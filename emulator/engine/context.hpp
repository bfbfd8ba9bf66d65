// Switches from one stack to another, within an operating system's thread. Boost.Context does this on all
// processors except x86-64 and WebAssembly. On x86-64, a switch makes no function call, because a call would
// spoil the processor's prediction of the return addresses on the other stack. In WebAssembly, a program
// cannot change its stack. There, Binaryen's pass Asyncify rewrites the functions: to suspend a stack, each
// function returns to its caller; to resume the stack, the functions are called again and continue where they
// stopped.
#pragma once

#include <cstddef>

#if !defined(__x86_64__) && !defined(__wasm__)
#include <boost/context/fiber.hpp>
#endif

namespace cudabook::emulation {

#ifdef __x86_64__

/// The place at which a suspended stack goes on.
class Context {
  public:
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Prepares a new stack of `bytes` bytes that ends at `top`. The first switch to it calls run(argument),
    /// which must not return.
    void begin(void* top, std::size_t bytes, void (*run)(void* argument), void* argument);

    /// Suspends the running stack, stores its place in this Context, and resumes the stack whose place is in
    /// `to`.
    [[gnu::always_inline]] void switch_to(const Context& to) {
        void* suspended = &stack_;
        void* next = to.stack_;
        // The 128 bytes below the stack pointer may be in use (System V ABI, the red zone). The compiler
        // saves the registers that the function needs.
        asm volatile(
            "leaq -128(%%rsp), %%rsp\n\t"
            "pushq %%rbp\n\t"
            "leaq 1f(%%rip), %%rax\n\t"
            "pushq %%rax\n\t"
            "movq %%rsp, (%%rdi)\n\t"
            "movq %%rsi, %%rsp\n\t"
            "popq %%rax\n\t"
            "jmpq *%%rax\n"
            "1:\n\t"
            "popq %%rbp\n\t"
            "leaq 128(%%rsp), %%rsp"
            : "+D"(suspended), "+S"(next)
            :
            : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
              "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
              "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
    }

  private:
    void* stack_ = nullptr;  ///< the stack pointer; on top of the stack is the address at which it resumes
};

#elif defined(__wasm__)

/// The place at which a suspended stack goes on.
class Context {
  public:
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Prepares a new stack of `bytes` bytes that ends at `top`. The first switch to it calls run(argument),
    /// which may return only after return_to().
    void begin(void* top, std::size_t bytes, void (*run)(void* argument), void* argument);

    /// When the running stack's run() returns, `to` is resumed. The next switch to the running stack calls
    /// run() again.
    static void return_to(Context& to) { next_ = &to; }

    /// Suspends the running stack, stores its place in this Context, and resumes the stack whose place is in
    /// `to`. The running stack must have been prepared by begin(). A function that calls this must have
    /// neither a `try` around the call nor an object with a destructor, because then Asyncify cannot suspend
    /// the function.
    void switch_to(Context& to) noexcept;

    /// Resumes `to` and then each stack to which the running stack switches, until a stack switches to this
    /// Context. The caller's own stack is not suspended. If an exception leaves the run() of a stack, this
    /// function throws the exception, and the stack cannot be resumed any more.
    void run_until_back(Context& to);

  private:
    /// The memory in which Asyncify keeps the variables of suspended functions: from `begin` to `end`.
    struct Kept {
        std::byte* begin;
        std::byte* end;
    };

    void enter();

    Context* stack_ = nullptr;  ///< the Context whose begin() prepared the stack; at first null

    // Only the Context whose begin() was called uses these members.
    void (*run_)(void*) = nullptr;
    void* argument_ = nullptr;
    std::byte* memory_ = nullptr;  ///< the stack's lowest address
    void* top_ = nullptr;
    void* stack_pointer_ = nullptr;  ///< valid while the stack is suspended
    Kept kept_{};
    bool is_suspended_ = false;

    static Context* running_;  ///< the Context whose begin() prepared the running stack
    static Context* next_;     ///< where to go on when the running stack has returned
};

#else

/// The place at which a suspended stack goes on.
class Context {
  public:
    Context() : fiber_() {}
    ~Context() {}  // NOLINT(modernize-use-equals-default): it would be deleted
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Prepares a new stack of `bytes` bytes that ends at `top`. The first switch to it calls run(argument),
    /// which must not return.
    void begin(void* top, std::size_t bytes, void (*run)(void* argument), void* argument);

    /// Suspends the running stack, stores its place in this Context, and resumes the stack whose place is in
    /// `to`.
    void switch_to(Context& to);

  private:
    /// The union prevents the call of Boost's destructor. The destructor would throw an exception on the
    /// suspended stack, and the exception could not pass a noexcept function.
    union {
        boost::context::fiber fiber_;
    };
    static thread_local Context* left_;  ///< the stack that ran before
};

#endif

}  // namespace cudabook::emulation
