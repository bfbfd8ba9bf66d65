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
