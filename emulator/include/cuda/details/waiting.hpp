// Thread scopes, and the waits of threads that use libcu++'s objects. Source: CUDA C++ documentation,
// "libcu++": "Thread Scopes".
#pragma once

#include <chrono>

#include <sched.h>

#include "emulator/engine/block.hpp"

namespace cuda {

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

namespace details {

namespace emulation = cudabook::emulation;

/// Lets other threads of the block run, and then other threads of the host, which may run other blocks.
inline void let_others_run() {
    if (emulation::is_cuda_thread()) emulation::yield();
    sched_yield();
}

/// Waits until is_true(). The condition reads `memory`, which threads of the scope write. If only threads
/// of the caller's block can write it, the wait is by await_condition(), which finds deadlocks. (If there
/// is a cluster, its other blocks can write the block's shared memory.)
template <thread_scope scope, class Condition>
void await(const void* memory, const Condition& is_true, const char* name) {
    const bool is_for_block = scope == thread_scope_block || scope == thread_scope_thread ||
                              (emulation::address_space_of(memory) != emulation::AddressSpace::global &&
                               !emulation::cluster_place().size_given);
    if (emulation::is_cuda_thread() && is_for_block) {
        const auto call = [](const void* of) { return (*static_cast<const Condition*>(of))(); };
        emulation::await_condition(call, &is_true, name);
    } else {
        while (!is_true()) let_others_run();
    }
}

/// Waits until is_true(), but not much longer than `time`. Returns is_true().
template <class Condition, class Rep, class Period>
bool await_for(const Condition& is_true, const ::std::chrono::duration<Rep, Period>& time) {
    const auto begin = ::std::chrono::steady_clock::now();
    while (!is_true()) {
        if (::std::chrono::steady_clock::now() - begin >= time) return false;
        let_others_run();
    }
    return true;
}

}  // namespace details

}  // namespace cuda

namespace cuda::std {

using ::cuda::thread_scope;
using ::cuda::thread_scope_block;
using ::cuda::thread_scope_device;
using ::cuda::thread_scope_system;
using ::cuda::thread_scope_thread;

}  // namespace cuda::std
