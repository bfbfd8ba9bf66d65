// What common/emulation/translator/ makes of launches:
//
//     kernel<<<grid, block, bytes, stream>>>(arguments)    launched(kernel)(grid, block, bytes,
//     stream)(arguments)
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

#include "common/emulation/engine/launch.hpp"

namespace cudabook::emulation {

/// Whether values of this type are passed in registers or on the stack. All others the caller keeps, and
/// passes where they are (Itanium C++ ABI, "Non-Trivial Parameters").
template <class T>
inline constexpr bool is_passed_by_value = std::is_trivially_destructible_v<T>&&
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_move_constructible_v<T>;

/// The bytes of a kernel's argument.
template <class T>
struct Bytes {
    alignas(T) std::byte bytes[sizeof(T)];
    explicit Bytes(const T& argument) { std::memcpy(bytes, static_cast<const void*>(&argument), sizeof(T)); }
};

/// Each CUDA thread gets the arguments' bytes: as on a GPU, no constructor and no destructor runs there.
template <class... Parameters>
KernelCall kernel_call_of_bytes(void (*kernel)(Parameters...), const Parameters&... arguments) {
    using Kernel = void (*)(std::conditional_t<is_passed_by_value<Parameters>, Parameters, void*>...);
    const auto as_bytes = reinterpret_cast<Kernel>(reinterpret_cast<void (*)()>(kernel));
    const auto passed = []<class T>(Bytes<T>& argument) -> decltype(auto) {
        if constexpr (is_passed_by_value<T>)
            return static_cast<const T&>(*reinterpret_cast<T*>(argument.bytes));
        else
            return static_cast<void*>(argument.bytes);
    };
    return {reinterpret_cast<const void*>(kernel),
            [as_bytes, passed, kept = std::tuple<Bytes<Parameters>...>(Bytes<Parameters>(arguments)...)] {
                auto copies = kept;
                std::apply([&](auto&... argument) { as_bytes(passed(argument)...); }, copies);
            }};
}

/// A launch that has all but its arguments. As in CUDA they are converted to the kernel's parameters, and
/// cudaGetLastError() has the error.
template <class... Parameters>
class Launch {
  public:
    Launch(void (*kernel)(Parameters...), const cudaLaunchConfig_t& config)
        : kernel_(kernel), config_(config) {}

    void operator()(Parameters... arguments) const {
        if constexpr ((is_passed_by_value<Parameters> && ...))
            static_cast<void>(
                launch(config_, kernel_call(kernel_, std::tuple<Parameters...>(std::move(arguments)...))));
        else
            static_cast<void>(launch(config_, kernel_call_of_bytes<Parameters...>(kernel_, arguments...)));
    }

  private:
    void (*kernel_)(Parameters...);
    cudaLaunchConfig_t config_;
};

/// Runs what launched_by() launches in a CUDA thread. It is the kernel to all who ask for its address,
/// because it is known what shared memory the functions declare that it calls.
template <class Call, class... Arguments>
[[gnu::noinline]] void run_call(const Call& call, const std::tuple<Bytes<Arguments>...>& arguments) {
    std::apply([&](const auto&... argument) { call(reinterpret_cast<const Arguments&>(argument.bytes)...); },
               arguments);
}

/// The same for a kernel that may be one of several functions: `find` gives the one whose parameters have
/// exactly the arguments' types, or null; `call` calls the one that suits.
template <class Find, class Call>
class LaunchBy {
  public:
    LaunchBy(const char* name, const Find& find, const Call& call, const cudaLaunchConfig_t& config)
        : name_(name), find_(find), call_(call), config_(config) {}

    template <class... Arguments>
    void operator()(Arguments... arguments) const {
        const auto found = find_(static_cast<void (*)(Arguments...)>(nullptr));
        if constexpr (!std::is_null_pointer_v<decltype(find_(
                          static_cast<void (*)(Arguments...)>(nullptr)))>) {
            Launch<Arguments...>(found, config_)(std::move(arguments)...);
            return;
        }
        const auto* const kernel = reinterpret_cast<const void*>(&run_call<Call, Arguments...>);
        name_kernel(kernel, name_);
        const std::tuple<Bytes<Arguments>...> kept{Bytes<Arguments>(arguments)...};
        static_cast<void>(
            launch(config_, {kernel, [call = call_, kept] { run_call<Call, Arguments...>(call, kept); }}));
    }

  private:
    const char* name_;
    Find find_;
    Call call_;
    cudaLaunchConfig_t config_;
};

/// launched(kernel)(grid, block, bytes, stream)(arguments)
template <class... Parameters>
auto launched(void (*kernel)(Parameters...)) {
    static_assert(!(std::is_reference_v<Parameters> || ...), "a kernel's parameter cannot be a reference");
    return [kernel](dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr) {
        return Launch<Parameters...>(kernel, {grid, block, bytes, stream, nullptr, 0});
    };
}

template <class Find, class Call>
auto launched_by(const char* name, const Find& find, const Call& call) {
    return [=](dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr) {
        return LaunchBy<Find, Call>(name, find, call, {grid, block, bytes, stream, nullptr, 0});
    };
}

}  // namespace cudabook::emulation

/// By an untyped pointer: cudaLaunchKernel(kernel, ...) needs the kernel's parameters.
__attribute__((error("the emulated GPU must know the kernel's parameters: name it in the call"))) cudaError_t
cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                 std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr);
