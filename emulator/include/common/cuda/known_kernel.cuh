// See the header of the same name in common/cuda/.
#pragma once

#include <cuda_runtime.h>

namespace cudabook::detail {

/// Launches the kernel like cudaLaunchKernelEx().
template <auto kernel, class... Arguments>
cudaError_t launch_known(const cudaLaunchConfig_t& config, Arguments... arguments) {
    return emulation::launch_kernel(config, kernel, emulation::loop_of<kernel>(kernel), arguments...);
}

}  // namespace cudabook::detail
