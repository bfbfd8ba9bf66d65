// Launches of a kernel that is known when the program is compiled. emulator/include/ has a header of the same
// name: the emulated GPU runs such a kernel in a loop of the kernel's own.
#pragma once

#include <cuda_runtime.h>

namespace cudabook::detail {

/// As cudaLaunchKernelEx().
template <auto kernel, class... Arguments>
cudaError_t launch_known(const cudaLaunchConfig_t& config, Arguments... arguments) {
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace cudabook::detail
