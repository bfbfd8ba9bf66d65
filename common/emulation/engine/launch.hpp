// Launches of kernels on the emulated GPU, and what is known of kernels. The templates that take kernels
// apart are here; cuda_runtime.h gives them CUDA's names.
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
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

template <class... Parameters>
KernelCall kernel_call(void (*kernel)(Parameters...), std::tuple<Parameters...> arguments) {
    return {reinterpret_cast<const void*>(kernel),
            [kernel, arguments = std::move(arguments)] { std::apply(kernel, arguments); }};
}

/// What messages call the kernel, whose own symbol says something else. The name must last.
void name_kernel(const void* kernel, const char* name);

/// cudaOccupancyMaxPotentialBlockSize.
cudaError_t best_block(int* blocks, int* threads, const void* kernel, std::size_t dynamic_shared_bytes,
                       int most_threads);

/// From pointers to the arguments, as cudaLaunchKernel has them.
template <class... Parameters, std::size_t... index>
KernelCall kernel_call(void (*kernel)(Parameters...), void** arguments, std::index_sequence<index...>) {
    return kernel_call(kernel, std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[index])...));
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
