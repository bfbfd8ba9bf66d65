// Launches a kernel that is known at compile time. The emulated GPU has its own header of this name in
// emulator/include/, which gives each such kernel its own loop over the threads.
#pragma once

#include <cuda_runtime.h>

namespace cudabook::detail {

/// Like cudaLaunchKernelEx(), with the kernel as a template argument.
template <auto kernel, class... Arguments>
cudaError_t launch_known(const cudaLaunchConfig_t& config, Arguments... arguments) {
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace cudabook::detail
