#include "emulator/engine/fiber.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>

#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include "emulator/checks/sanitizer.hpp"

#if CUDABOOK_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cudabook::emulation {

namespace {

#ifdef __wasm__
// Variables without an address are not on these stacks, whose pages all take memory.
constexpr std::size_t least_stack_bytes = (std::size_t{32} << 10U) + std::size_t{13} * 64;
#else
// The least address space of a stack. Only the pages that a kernel touches take memory.
constexpr std::size_t least_stack_bytes = std::size_t{256} << 10U;
#endif
std::atomic<std::size_t> bytes_of_new_stacks = least_stack_bytes;

// The most stacks with a guard page below them. Each guarded stack takes two memory mappings, and Linux
// allows a process 65530 mappings: stacks for 1024 threads on each of 32 cores would need more.
#ifdef __wasm__
constexpr unsigned most_guarded = 0;
using GuardedStack = boost::context::fixedsize_stack;
#else
constexpr unsigned most_guarded = 16384;
using GuardedStack = boost::context::protected_fixedsize_stack;
#endif
std::atomic<unsigned> guarded{0};

/// Returns the distance from the top of a stack's memory to its first frame. If this were the same for all
/// stacks, the frames of all threads would compete for the same few sets of the processor's caches.
std::size_t next_offset() {
    constexpr std::size_t step = std::size_t{13} * 64;
    constexpr std::size_t most = least_stack_bytes / 8;
    thread_local std::size_t offset = 0;
    return offset = (offset + step) % most;
}

}  // namespace

void Fiber::set_stack_limit(std::size_t bytes) {
    constexpr std::size_t by_default = 1024;
    constexpr std::size_t most = std::size_t{512} << 10U;  // the most stack of a GPU's thread
    bytes_of_new_stacks = least_stack_bytes + 8 * (std::clamp(bytes, by_default, most) - by_default);
}

std::size_t Fiber::stack_bytes() { return bytes_of_new_stacks; }

Fiber::Fiber(void (*work)(void*), void* of)
    : work_(work), of_(of), identity_(Identity::New()), guarded_(guarded < most_guarded) {
    memory_ = guarded_ ? GuardedStack(stack_bytes()).allocate()
                       : boost::context::fixedsize_stack(stack_bytes()).allocate();
    if (guarded_) ++guarded;
    const std::size_t offset = next_offset();
    char* const top = static_cast<char*>(memory_.sp) - offset;
    stack_size_ = memory_.size - offset;
    stack_ = top - stack_size_;
#ifdef __wasm__
    place_.begin(top, stack_size_, work, of);  // one function fewer to suspend
#else
    place_.begin(top, stack_size_, run, this);
#endif
}

void Fiber::run(void* fiber) {
    auto& self = *static_cast<Fiber*>(fiber);
    self.end_switch();
    self.work_(self.of_);
    std::abort();
}

Fiber::~Fiber() {
    if (memory_.sp == nullptr) return;
#if CUDABOOK_ADDRESS_SANITIZER
    // Otherwise the redzones of the stack's frames would stay poisoned for the memory's next user.
    __asan_unpoison_memory_region(static_cast<char*>(memory_.sp) - memory_.size, memory_.size);
#endif
    if (guarded_) {
        --guarded;
        GuardedStack(stack_bytes()).deallocate(memory_);
    } else {
        boost::context::fixedsize_stack(stack_bytes()).deallocate(memory_);
    }
}

#if CUDABOOK_ADDRESS_SANITIZER

thread_local Fiber* Fiber::left_ = nullptr;

void Fiber::begin_switch(Fiber& next) {
    left_ = this;
    __sanitizer_start_switch_fiber(&fake_stack_, next.stack_, next.stack_size_);
}

void Fiber::end_switch() {
    Fiber& left = *left_;
    // The first switch away from an operating system's thread's own stack tells where that stack is.
    __sanitizer_finish_switch_fiber(fake_stack_, left.stack_ == nullptr ? &left.stack_ : nullptr,
                                    left.stack_ == nullptr ? &left.stack_size_ : nullptr);
}

#endif

}  // namespace cudabook::emulation
