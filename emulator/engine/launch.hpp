// Launches of kernels on the emulated GPU, and the attributes of kernels. The templates that split kernel
// types into parameters are here; cuda_runtime.h gives them CUDA's names.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// A launch: the kernel's address, a function that runs the kernel in the calling CUDA thread, and that
/// function's arguments. The caller owns the arguments.
struct KernelCall {
    const void* kernel;
    void (*run)(const void* kernel, const void* arguments);
    const void* arguments;
    std::size_t bytes;
    std::size_t alignment;
};

/// A launch that has not begun yet, with a copy of its arguments.
struct PendingLaunch {
    cudaLaunchConfig_t config;
    KernelCall call;
    std::shared_ptr<const void> arguments;
    bool cooperative;
};

/// Launches the kernel with a copy of the arguments, or adds the launch to the capture. A kernel that a CUDA
/// thread launches begins when all blocks of its parent grid have ended, and is complete before the parent
/// is. Errors: as cudaLaunchKernelEx; a CUDA thread fails.
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

/// Runs the kernel with a copy of the arguments' bytes. As on a GPU, no constructor and no destructor of the
/// arguments runs in a CUDA thread.
template <class... Parameters>
void run_with_bytes(const void* kernel, const void* arguments) {
    using Kernel = void (*)(std::conditional_t<is_passed_by_value<Parameters>, Parameters, void*>...);
    const auto as_bytes = reinterpret_cast<Kernel>(const_cast<void*>(kernel));
    const auto passed = []<class T>(ArgumentBytes<T>& argument) -> decltype(auto) {
        if constexpr (is_passed_by_value<T>)
            return static_cast<const T&>(*reinterpret_cast<T*>(argument.bytes));
        else
            return static_cast<void*>(argument.bytes);
    };
    auto copies = *static_cast<const std::tuple<ArgumentBytes<Parameters>...>*>(arguments);
    std::apply([&](auto&... argument) { as_bytes(passed(argument)...); }, copies);
}
template <class... Parameters>
cudaError_t launch_with_bytes(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                              const std::tuple<ArgumentBytes<Parameters>...>& arguments) {
    return launch(config, {reinterpret_cast<const void*>(kernel), run_with_bytes<Parameters...>, &arguments,
                           sizeof arguments, alignof(std::tuple<ArgumentBytes<Parameters>...>)});
}
template <class... Parameters>
cudaError_t launch_kernel(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                          const std::type_identity_t<Parameters>&... arguments) {
    return launch_with_bytes(
        config, kernel, std::tuple<ArgumentBytes<Parameters>...>(ArgumentBytes<Parameters>(arguments)...));
}

/// cudaOccupancyMaxPotentialBlockSize.
cudaError_t best_block(int* blocks, int* threads, const void* kernel, std::size_t dynamic_shared_bytes,
                       int most_threads);

/// Launches with pointers to the arguments, as cudaLaunchKernel does.
template <class... Parameters, std::size_t... index>
cudaError_t launch_by_pointers(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                               void** arguments, std::index_sequence<index...>) {
    return launch_kernel(config, kernel, *static_cast<Parameters*>(arguments[index])...);
}

}  // namespace cudabook::emulation
