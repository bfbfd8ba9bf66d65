// Launches of kernels on the emulated GPU, and what is known of kernels. The templates that take kernels
// apart are here; cuda_runtime.h gives them CUDA's names.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

namespace cudabook::emulation {

/// A launch: the kernel, by its address, and a function that runs it in the calling CUDA thread.
struct KernelCall {
    const void* kernel;
    std::function<void()> run;
};

/// Launches, or adds to the capture. Errors: as cudaLaunchKernelEx.
cudaError_t launch(const cudaLaunchConfig_t& config, KernelCall call);

/// Whether values of this type are passed in registers or on the stack. All others the caller keeps, and
/// passes where they are (Itanium C++ ABI, "Non-Trivial Parameters").
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

/// Each CUDA thread gets the arguments' bytes: as on a GPU, no constructor and no destructor runs there.
template <class... Parameters>
KernelCall kernel_call_of_bytes(void (*kernel)(Parameters...),
                                const std::tuple<ArgumentBytes<Parameters>...>& arguments) {
    using Kernel = void (*)(std::conditional_t<is_passed_by_value<Parameters>, Parameters, void*>...);
    const auto as_bytes = reinterpret_cast<Kernel>(reinterpret_cast<void (*)()>(kernel));
    const auto passed = []<class T>(ArgumentBytes<T>& argument) -> decltype(auto) {
        if constexpr (is_passed_by_value<T>)
            return static_cast<const T&>(*reinterpret_cast<T*>(argument.bytes));
        else
            return static_cast<void*>(argument.bytes);
    };
    return {reinterpret_cast<const void*>(kernel), [as_bytes, passed, arguments] {
                auto copies = arguments;
                std::apply([&](auto&... argument) { as_bytes(passed(argument)...); }, copies);
            }};
}
template <class... Parameters>
KernelCall kernel_call(void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) {
    return kernel_call_of_bytes(
        kernel, std::tuple<ArgumentBytes<Parameters>...>(ArgumentBytes<Parameters>(arguments)...));
}

/// cudaOccupancyMaxPotentialBlockSize.
cudaError_t best_block(int* blocks, int* threads, const void* kernel, std::size_t dynamic_shared_bytes,
                       int most_threads);

/// From pointers to the arguments, as cudaLaunchKernel has them.
template <class... Parameters, std::size_t... index>
KernelCall kernel_call(void (*kernel)(Parameters...), void** arguments, std::index_sequence<index...>) {
    return kernel_call(kernel, *static_cast<Parameters*>(arguments[index])...);
}

/// How much shared memory a kernel declares, found when the program was built (common/emulation/objects/);
/// the names are as in the symbol table.
struct StaticShared {
    const char* kernel;
    std::size_t bytes;
};

/// Makes a table known. It must last.
class KnownStaticShared {
  public:
    template <std::size_t size>
    explicit KnownStaticShared(const StaticShared (&table)[size]) : KnownStaticShared(table, size) {}

  private:
    KnownStaticShared(const StaticShared* table, std::size_t size);
};

}  // namespace cudabook::emulation
