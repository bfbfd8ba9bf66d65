// emulator/translator/ replaces the first form of a launch by the second:
//
//     kernel<<<grid, block, bytes, stream>>>(arguments)
//     launched([&] { return kernel; })(grid, block, bytes, stream)(arguments)
//
// The lambda's type tells whether the kernel is known when the program is compiled. If the launch gives the
// kernel by an expression that is no name, there is no lambda:
//
//     launched(pointer)(grid, block, bytes, stream)(arguments)
#pragma once

#include <bit>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "emulator/engine/launch.hpp"

namespace cudabook::emulation {

/// A launch that lacks only its arguments. operator() takes the arguments and launches the kernel. As in
/// CUDA, the arguments are converted to the kernel's parameters, which live until the launch has returned.
/// cudaGetLastError() returns the launch's error.
template <class... Parameters>
class Launch {
  public:
    Launch(void (*kernel)(Parameters...), RunInOrder loop, const cudaLaunchConfig_t& config)
        : kernel_(kernel), loop_(loop), config_(config) {}

    void operator()(Parameters... arguments) const {
        static_cast<void>(launch_kernel(config_, kernel_, loop_, arguments...));
    }

  private:
    void (*kernel_)(Parameters...);
    RunInOrder loop_;
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

/// The values of a kernel's parameters. If several functions have a kernel's name, overload resolution
/// chooses among them by the arguments. For this, the translator makes, for each kernel of this name, a
/// function that has the kernel's parameters and returns this object. The parameters live until the end of
/// the calling expression, and so until the launch has returned (Itanium C++ ABI, "Non-Trivial Parameters").
/// `Return` is the kernel's return type: substituting template arguments in it may rule out overloads
/// (SFINAE).
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

/// An empty object. In a constant expression, std::bit_cast converts it to a lambda without captures, because
/// the lambda is empty, too.
struct Nothing {};

/// A launch of an overloaded kernel. find(pointer) casts the kernel's name to the type of the pointer, and so
/// chooses the overload that has exactly the parameters of `arguments`.
template <class Find>
class LaunchBy {
  public:
    LaunchBy(const Find& find, const cudaLaunchConfig_t& config) : find_(find), config_(config) {}

    template <class Return, class... Parameters>
    void operator()(const Arguments<Return, Parameters...>& arguments) const {
        void (*const kernel)(UnqualifiedParameter<Parameters>...) =
            find_(static_cast<void (*)(UnqualifiedParameter<Parameters>...)>(nullptr));
        using Kernel = void (*)(UnqualifiedParameter<Parameters>...);
        constexpr RunInOrder loop = loop_of<std::bit_cast<Find>(Nothing())(Kernel(nullptr))>(Kernel(nullptr));
        static_cast<void>(launch_with_bytes(config_, kernel, arguments.bytes, loop));
    }

  private:
    Find find_;
    cudaLaunchConfig_t config_;
};

/// Whether the lambda's result is known when the program is compiled: the lambda captures nothing and names a
/// kernel.
template <class Name>
concept IsConstant = std::is_empty_v<Name> && requires {
    typename std::bool_constant<std::bit_cast<Name>(Nothing())() != nullptr>;
};
template <class Name>
constexpr RunInOrder loop_of_name() {
    if constexpr (IsConstant<Name>) {
        constexpr auto kernel = std::bit_cast<Name>(Nothing())();
        return loop_of<kernel>(kernel);
    } else {
        return nullptr;
    }
}

template <class... Parameters>
auto launched(void (*kernel)(Parameters...), RunInOrder loop = nullptr) {
    static_assert(!(std::is_reference_v<Parameters> || ...), "a kernel's parameter cannot be a reference");
    return [=](dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr) {
        return Launch<Parameters...>(kernel, loop, {grid, block, bytes, stream, nullptr, 0});
    };
}

template <class Name>
requires std::is_class_v<Name>
auto launched(const Name& name) { return launched(name(), loop_of_name<Name>()); }

/// Launches an overloaded kernel: launched_by(find)(grid, block, bytes, stream)(arguments)
template <class Find>
auto launched_by(const Find& find) {
    return [=](dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr) {
        return LaunchBy<Find>(find, {grid, block, bytes, stream, nullptr, 0});
    };
}

}  // namespace cudabook::emulation
