#include "common/emulation/engine/fiber.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include "common/emulation/checks/sanitizer.hpp"

#if CUDABOOK_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cudabook::emulation {

namespace {

// Of address space; only what a kernel uses of it becomes memory.
constexpr std::size_t stack_bytes = std::size_t{256} << 10U;

// Below so many stacks there is a page that may not be touched. Each costs two of the mappings of which Linux
// allows a process 65530, and 1024 threads on each of 32 cores would need more.
constexpr unsigned most_guarded = 16384;
std::atomic<unsigned> guarded{0};

/// A stack that leaves nothing behind: what AddressSanitizer knows of its frames would else hold for what
/// comes to lie in its place.
template <class Allocator>
struct Stack : Allocator {
    using Allocator::Allocator;
    void deallocate(boost::context::stack_context& stack) {
#if CUDABOOK_ADDRESS_SANITIZER
        __asan_unpoison_memory_region(static_cast<char*>(stack.sp) - stack.size, stack.size);
#endif
        Allocator::deallocate(stack);
    }
};

/// How far below its top a stack begins. Were it the same for all, the frames of all threads would compete
/// for the same few sets of the processor's caches.
std::size_t next_offset() {
    constexpr std::size_t step = std::size_t{13} * 64;
    constexpr std::size_t most = std::size_t{32} << 10U;
    thread_local std::size_t offset = 0;
    return offset = (offset + step) % most;
}

}  // namespace

thread_local Fiber* Fiber::left_ = nullptr;

Fiber::Fiber(std::function<Fiber&()> work) : identity_(Identity::New()) {
    if (guarded < most_guarded) {
        begin(Stack<boost::context::protected_fixedsize_stack>(stack_bytes), std::move(work));
        guarded_ = true;
        ++guarded;
    } else {
        begin(Stack<boost::context::fixedsize_stack>(stack_bytes), std::move(work));
    }
}

Fiber::~Fiber() {
    if (guarded_) --guarded;
}

template <class Allocator>
void Fiber::begin(Allocator allocator, std::function<Fiber&()> work) {
    const boost::context::stack_context stack = allocator.allocate();
    const std::size_t offset = next_offset();
    char* const top = static_cast<char*>(stack.sp) - offset;
    stack_size_ = stack.size - offset;
    stack_ = top - stack_size_;
    context_ =
        boost::context::fiber(std::allocator_arg, boost::context::preallocated(top, stack_size_, stack),
                              allocator, [this, work = std::move(work)](boost::context::fiber&& from) {
                                  end_switch(std::move(from));
                                  Fiber& next = work();
                                  ended_ = true;
                                  begin_switch(next);
                                  return std::move(next.context_);
                              });
}

void Fiber::switch_to(Fiber& next) {
    begin_switch(next);
    boost::context::fiber to = std::move(next.context_);
    end_switch(std::move(to).resume());
}

void Fiber::begin_switch([[maybe_unused]] Fiber& next) {
    left_ = this;
#if CUDABOOK_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(ended_ ? nullptr : &fake_stack_, next.stack_, next.stack_size_);
#endif
}

void Fiber::end_switch(boost::context::fiber from) {
    Fiber& left = *left_;
#if CUDABOOK_ADDRESS_SANITIZER
    // The first switch away from a thread's own stack tells where that stack is.
    __sanitizer_finish_switch_fiber(fake_stack_, left.stack_ == nullptr ? &left.stack_ : nullptr,
                                    left.stack_ == nullptr ? &left.stack_size_ : nullptr);
#endif
    if (!left.ended_) left.context_ = std::move(from);
}

}  // namespace cudabook::emulation
