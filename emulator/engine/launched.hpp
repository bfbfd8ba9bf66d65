// emulator/translator/ replaces the first form of a launch by the second:
//
//     kernel<<<grid, block, bytes, stream>>>(arguments)
//     launched(kernel)(grid, block, bytes, stream)(arguments)
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "emulator/engine/launch.hpp"

namespace cudabook::emulation {

/// A launch that lacks only its arguments. As in CUDA, the arguments are converted to the kernel's
/// parameters, which live until the launch has returned. cudaGetLastError() returns the launch's error.
template <class... Parameters>
class Launch {
  public:
    Launch(void (*kernel)(Parameters...), const cudaLaunchConfig_t& config)
        : kernel_(kernel), config_(config) {}

    void operator()(Parameters... arguments) const {
        static_cast<void>(launch_kernel(config_, kernel_, arguments...));
    }

  private:
    void (*kernel_)(Parameters...);
    cudaLaunchConfig_t config_;
};

/// A parameter's type without the qualifiers that are no part of the kernel's type: const, volatile and
/// __restrict__.
template <class T>
struct Unqualified {
    using Type = T;
};
template <class T>
struct Unqualified<T* __restrict__> {
    using Type = T*;
};
template <class T>
using UnqualifiedParameter = typename Unqualified<std::remove_cv_t<T>>::Type;

/// The values of a kernel's parameters. For each kernel that overload resolution chooses by its arguments,
/// the translator makes a function that has the kernel's parameters and returns this object. The parameters
/// live until the end of the calling expression, and so until the launch has returned (Itanium C++ ABI,
/// "Non-Trivial Parameters"). `Return` is the kernel's return type: substituting template arguments in it
/// may rule out overloads (SFINAE).
template <class Return, class... Parameters>
struct Arguments {
    static_assert(!(std::is_reference_v<Parameters> || ...), "a kernel's parameter cannot be a reference");
    std::tuple<ArgumentBytes<UnqualifiedParameter<Parameters>>...> bytes;
    Arguments(const Parameters&... arguments) : bytes(bytes_of(arguments)...) {}

  private:
    template <class T>
    static auto bytes_of(const T& argument) {
        using Plain = UnqualifiedParameter<T>;
        return ArgumentBytes<Plain>(const_cast<const Plain&>(argument));
    }
};

/// A launch of an overloaded kernel. It finds the overload with exactly these parameters: find() casts the
/// kernel's name to the type of find()'s argument.
template <class Find>
class LaunchBy {
  public:
    LaunchBy(const Find& find, const cudaLaunchConfig_t& config) : find_(find), config_(config) {}

    template <class Return, class... Parameters>
    void operator()(const Arguments<Return, Parameters...>& arguments) const {
        void (*const kernel)(UnqualifiedParameter<Parameters>...) =
            find_(static_cast<void (*)(UnqualifiedParameter<Parameters>...)>(nullptr));
        static_cast<void>(launch_with_bytes(config_, kernel, arguments.bytes));
    }

  private:
    Find find_;
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

/// launched_by(find)(grid, block, bytes, stream)(arguments)
template <class Find>
auto launched_by(const Find& find) {
    return [=](dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr) {
        return LaunchBy<Find>(find, {grid, block, bytes, stream, nullptr, 0});
    };
}

}  // namespace cudabook::emulation
