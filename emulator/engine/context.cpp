#include "emulator/engine/context.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#ifdef __x86_64__

extern "C" void cudabook_begin_stack();

// The first code that runs on a stack; unwinding ends here. The stack holds the argument and the function
// to call.
asm(R"(
    .pushsection .text
    .type cudabook_begin_stack, @function
    .globl cudabook_begin_stack
    .hidden cudabook_begin_stack
cudabook_begin_stack:
    .cfi_startproc
    .cfi_undefined %rip
    popq %rdi
    popq %rax
    xorl %ebp, %ebp
    callq *%rax
    ud2
    .cfi_endproc
    .size cudabook_begin_stack, . - cudabook_begin_stack
    .popsection
)");

#elif defined(__wasm__)

// Binaryen replaces these imports by functions of its own.
#define CUDABOOK_ASYNCIFY(name) __attribute__((import_module("asyncify"), import_name(name)))
extern "C" {
CUDABOOK_ASYNCIFY("start_unwind") void cudabook_start_unwind(void* kept) noexcept;
CUDABOOK_ASYNCIFY("stop_unwind") void cudabook_stop_unwind() noexcept;
CUDABOOK_ASYNCIFY("start_rewind") void cudabook_start_rewind(void* kept) noexcept;
CUDABOOK_ASYNCIFY("stop_rewind") void cudabook_stop_rewind() noexcept;
}

#endif

namespace cudabook::emulation {

#ifdef __x86_64__

void Context::begin(void* top, std::size_t /*bytes*/, void (*run)(void*), void* argument) {
    auto* const end = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
    end[-3] = reinterpret_cast<void*>(run);  // two words stay free, so that the call is aligned to 16 bytes
    end[-4] = argument;
    end[-5] = reinterpret_cast<void*>(cudabook_begin_stack);
    stack_ = end - 5;
}

#elif defined(__wasm__)

namespace {

void* stack_pointer() {
    void* pointer = nullptr;
    asm volatile("global.get __stack_pointer\n\tlocal.set %0" : "=r"(pointer));
    return pointer;
}
void set_stack_pointer(void* pointer) {
    asm volatile("local.get %0\n\tglobal.set __stack_pointer" : : "r"(pointer));
}

}  // namespace

Context* Context::running_ = nullptr;
Context* Context::next_ = nullptr;

void Context::begin(void* top, std::size_t bytes, void (*run)(void*), void* argument) {
    memory_ = static_cast<std::byte*>(top) - bytes;
    top_ = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
    run_ = run;
    argument_ = argument;
}

void Context::switch_to(Context& to) noexcept {
    Context& stack = *running_;
    if (stack.is_suspended_) {
        stack.is_suspended_ = false;
        return cudabook_stop_rewind();
    }
    stack_ = &stack;
    next_ = &to;
    stack.is_suspended_ = true;
    stack.stack_pointer_ = stack_pointer();
    stack.kept_ = {stack.memory_, static_cast<std::byte*>(stack.stack_pointer_)};
    if (stack.kept_.end < stack.kept_.begin) std::abort();  // the variables on the stack are too many
    cudabook_start_unwind(&stack.kept_);
}

/// Runs this stack until it is suspended or run() returns.
[[gnu::noinline]] void Context::enter() {
    set_stack_pointer(is_suspended_ ? stack_pointer_ : top_);
    if (is_suspended_) cudabook_start_rewind(&kept_);
    run_(argument_);
    if (is_suspended_) cudabook_stop_unwind();
}

void Context::run_until_back(Context& to) {
    void* const pointer_here = stack_pointer();
    Context* const running_here = running_;
    next_ = &to;
    try {
        while (next_ != this) {
            running_ = next_->stack_ == nullptr ? next_ : next_->stack_;
            running_->enter();
        }
    } catch (...) {
        set_stack_pointer(pointer_here);
        running_ = running_here;
        throw;
    }
    set_stack_pointer(pointer_here);
    running_ = running_here;
}

#else

namespace {

/// A stack allocator for Boost that frees nothing, because the Fiber frees the stack.
struct KeptStack {
    static void deallocate(boost::context::stack_context& /*stack*/) {}
};

}  // namespace

thread_local Context* Context::left_ = nullptr;

void Context::begin(void* top, std::size_t bytes, void (*run)(void*), void* argument) {
    boost::context::stack_context memory;
    memory.sp = top;
    memory.size = bytes;
    fiber_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(top, bytes, memory),
                                   KeptStack(),
                                   [run, argument](boost::context::fiber&& from) -> boost::context::fiber {
                                       std::construct_at(&left_->fiber_, std::move(from));
                                       run(argument);
                                       std::abort();
                                   });
}

void Context::switch_to(Context& to) {
    left_ = this;
    boost::context::fiber next = std::move(to.fiber_);
    boost::context::fiber from = std::move(next).resume();
    std::construct_at(&left_->fiber_, std::move(from));  // what was there is gone, or has been given up
}

#endif

}  // namespace cudabook::emulation
