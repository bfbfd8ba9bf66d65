// Launches of kernels on the emulated GPU, and the attributes of kernels. The templates here split a kernel's
// type into its parameters. The functions in cuda_runtime.h call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

#include "emulator/engine/block.hpp"

namespace cudabook::emulation {

/// The place of a kernel's argument in memory, and what kind of argument it is.
struct ArgumentPlace {
    void* place;
    std::size_t bytes;
    bool points_to_data;         ///< the parameter is a pointer, and not to a function
    bool has_virtual_functions;  ///< the parameter is an object of a class with virtual functions
};

/// The state of a loop that runs the threads of a block one after another. The loop stops after the first
/// thread that needs the scheduler, for example at a barrier.
struct InOrder {
    bool goes_on;                   ///< becomes false when a thread needs the scheduler
    volatile std::uint64_t* turns;  ///< Progress::turns; the loop adds 1 when a thread starts
};

/// Runs the kernel for the threads of the block in order, without the scheduler. Returns when all threads
/// have ended. If a thread needs the scheduler, returns when this thread has ended, without starting the
/// next.
using RunInOrder = void (*)(const void* arguments, const InOrder& in_order);

/// A kernel and its arguments. run(kernel, arguments) runs the kernel in the calling CUDA thread. The caller
/// owns the arguments.
struct KernelCall {
    const void* kernel;
    void (*run)(const void* kernel, const void* arguments);
    RunInOrder run_in_order;  ///< null if run() must be called for each thread
    const void* arguments;
    std::size_t bytes;
    std::size_t alignment;
    std::size_t parameters;
    void (*find_places)(void* arguments, ArgumentPlace* places);  ///< fills in a place for each parameter
};

/// Launches the kernel with a copy of the arguments. If the stream is being captured, adds the launch to the
/// capture's graph instead. If a CUDA thread calls this (dynamic parallelism), the kernel begins when all
/// blocks of the parent grid have ended, and the parent grid is complete only when the kernel has ended.
/// Returns the same errors as cudaLaunchKernelEx(). In a CUDA thread, an error ends the parent kernel.
cudaError_t launch(const cudaLaunchConfig_t& config, const KernelCall& call);

/// Whether values of this type are passed in registers or on the stack. For other types the caller keeps the
/// object and passes its address (Itanium C++ ABI, "Non-Trivial Parameters").
template <class T>
inline constexpr bool is_passed_by_value = std::is_trivially_destructible_v<T>&&
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_move_constructible_v<T>;

/// The bytes of a kernel's argument.
template <class T>
struct ArgumentBytes {
    alignas(T) std::byte bytes[sizeof(T)];
    explicit ArgumentBytes(const T& argument) {
        std::memcpy(bytes, static_cast<const void*>(&argument), sizeof(T));
    }
};

template <class T>
const T& value_of(const ArgumentBytes<T>& argument) {
    return *reinterpret_cast<const T*>(argument.bytes);
}

/// Runs the kernel with a bytewise copy of the arguments. So, as on a GPU, no constructor or destructor of an
/// argument runs in a CUDA thread.
template <class... Parameters>
void run_with_bytes(const void* kernel, const void* arguments) {
    using Kernel = void (*)(std::conditional_t<is_passed_by_value<Parameters>, Parameters, void*>...);
    const auto as_bytes = reinterpret_cast<Kernel>(const_cast<void*>(kernel));
    const auto& bytes = *static_cast<const std::tuple<ArgumentBytes<Parameters>...>*>(arguments);
    if constexpr ((is_passed_by_value<Parameters> && ...)) {  // the call copies the arguments
        std::apply([&](const auto&... argument) { as_bytes(value_of(argument)...); }, bytes);
    } else {
        const auto passed = []<class T>(ArgumentBytes<T>& argument) -> decltype(auto) {
            if constexpr (is_passed_by_value<T>)
                return value_of(argument);
            else
                return static_cast<void*>(argument.bytes);
        };
        auto copies = bytes;
        std::apply([&](auto&... argument) { as_bytes(passed(argument)...); }, copies);
    }
}
#if CUDABOOK_HAS_LOOPS_OF_KERNELS
// The function attribute with which kernels are compiled, if any. The loop needs the same attribute to inline
// them. scripts/cudabook-emulate defines this macro.
#ifndef CUDABOOK_KERNEL_ATTRIBUTE
#define CUDABOOK_KERNEL_ATTRIBUTE
#endif

/// The loop behind RunInOrder. A small kernel is inlined, so that a thread costs only a few instructions.
/// Each asm statement makes the compiler store threadIdx before the kernel uses the index, so that a debugger
/// or a message about a fault can name the thread.
template <auto kernel, class... Parameters>
CUDABOOK_KERNEL_ATTRIBUTE void run_each(const InOrder& in_order, const Parameters... parameters) {
    const dim3 size = blockDim;
    volatile std::uint64_t* const turns = in_order.turns;
    std::uint64_t turn = *turns;
    for (unsigned z = 0; z < size.z; ++z)
        for (unsigned y = 0; y < size.y; ++y) {
            threadIdx = {0, y, z};
            asm volatile("" : "+r"(y), "+r"(z) : "m"(threadIdx));
            threadIdx = {0, y, z};
            for (unsigned x = 0; x < size.x; ++x) {
                threadIdx.x = x;
                asm volatile("" : "+r"(x) : "m"(threadIdx.x));
                threadIdx.x = x;
                *turns = ++turn;
                kernel(parameters...);
                if (!in_order.goes_on) return;
            }
        }
}
template <auto kernel, class... Parameters>
void run_in_order(const void* arguments, const InOrder& in_order) {
    std::apply(
        [&](const auto&... argument) { run_each<kernel, Parameters...>(in_order, value_of(argument)...); },
        *static_cast<const std::tuple<ArgumentBytes<Parameters>...>*>(arguments));
}
#endif

/// Returns run_in_order() for a kernel that is known at compile time. Returns null if the build has no loops
/// of kernels, or if a parameter of the kernel is not passed by value.
template <auto kernel, class... Parameters>
constexpr RunInOrder loop_of(void (* /*type*/)(Parameters...)) {
#if CUDABOOK_HAS_LOOPS_OF_KERNELS
    if constexpr ((is_passed_by_value<Parameters> && ...)) return run_in_order<kernel, Parameters...>;
#endif
    return nullptr;
}

template <class T>
inline constexpr bool points_to_data = std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>;
template <class... Parameters>
void find_places(void* arguments, ArgumentPlace* places) {
    auto& all = *static_cast<std::tuple<ArgumentBytes<Parameters>...>*>(arguments);
    std::apply(
        [&]([[maybe_unused]] auto&... argument) {
            ((*places++ = {argument.bytes, sizeof argument.bytes, points_to_data<Parameters>,
                           std::is_polymorphic_v<Parameters>}),
             ...);
        },
        all);
}
template <class... Parameters>
KernelCall call_of(void (*kernel)(Parameters...), const void* arguments, RunInOrder loop = nullptr) {
    using All = std::tuple<ArgumentBytes<Parameters>...>;
    return {reinterpret_cast<const void*>(kernel),
            run_with_bytes<Parameters...>,
            loop,
            arguments,
            sizeof(All),
            alignof(All),
            sizeof...(Parameters),
            find_places<Parameters...>};
}
template <class... Parameters>
cudaError_t launch_with_bytes(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                              const std::tuple<ArgumentBytes<Parameters>...>& arguments,
                              RunInOrder loop = nullptr) {
    return launch(config, call_of(kernel, &arguments, loop));
}
/// `loop` is the result of loop_of() for the kernel.
template <class... Parameters>
cudaError_t launch_kernel(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...), RunInOrder loop,
                          const std::type_identity_t<Parameters>&... arguments) {
    return launch_with_bytes(
        config, kernel, std::tuple<ArgumentBytes<Parameters>...>(ArgumentBytes<Parameters>(arguments)...),
        loop);
}
template <class... Parameters>
cudaError_t launch_kernel(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                          const std::type_identity_t<Parameters>&... arguments) {
    return launch_kernel(config, kernel, RunInOrder{nullptr}, arguments...);
}

/// Implements cudaOccupancyMaxPotentialBlockSize().
cudaError_t best_block(int* blocks, int* threads, const void* kernel, std::size_t dynamic_shared_bytes,
                       int most_threads);
/// Implements cudaOccupancyMaxPotentialBlockSizeVariableSMem(): a block of `threads` threads has
/// bytes_of(threads, function) bytes of dynamic shared memory.
cudaError_t best_block(int* blocks, int* threads, const void* kernel,
                       std::size_t (*bytes_of)(int threads, const void* function), const void* function,
                       int most_threads);

/// Returns how many blocks of a launch can be resident on one multiprocessor of the current GPU, or 0 if none
/// can. `threads` is the number of threads in a block, and `registers` the number of registers of a thread.
int blocks_of_multiprocessor(const void* kernel, int threads, std::size_t dynamic_shared_bytes,
                             int registers);

/// Returns the attribute that makes a launch cooperative.
inline cudaLaunchAttribute cooperative() {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    return attribute;
}

/// Launches a kernel with pointers to its arguments, as cudaLaunchKernel does.
template <class... Parameters, std::size_t... index>
cudaError_t launch_by_pointers(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                               void** arguments, std::index_sequence<index...>) {
    return launch_kernel(config, kernel, *static_cast<Parameters*>(arguments[index])...);
}

/// Launches a kernel by its address. Returns cudaErrorInvalidDeviceFunction if register_kernel() has not been
/// called for the kernel; otherwise returns the same errors as cudaLaunchKernel().
cudaError_t launch_by_address(const cudaLaunchConfig_t& config, const void* kernel, void** arguments);

/// Stores a kernel's parameters for later calls that are given only the kernel's address.
void register_kernel(const KernelCall& call);

/// Registers the kernel and returns it. emulator/translator/ replaces the cast (void*)kernel by
/// (void*)known(kernel), so that calls that are given only the address know the kernel's parameters.
template <class... Parameters>
auto known(void (*kernel)(Parameters...)) {
    register_kernel(call_of(kernel, nullptr));
    return kernel;
}
/// Returns the function. This overload is for a host function that has the same name as a kernel.
template <class Function>
Function* known(Function* function) {
    return function;
}

}  // namespace cudabook::emulation
