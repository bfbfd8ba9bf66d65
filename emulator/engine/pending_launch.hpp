// A launch that waits for its turn in a graph, or for the end of its parent grid.
#pragma once

#include <memory>

#include <cuda_runtime_api.h>

#include "emulator/engine/launch.hpp"

namespace cudabook::emulation {

/// A launch that has not begun yet. The call's arguments are a copy that the launch owns.
struct PendingLaunch {
    cudaLaunchConfig_t config;
    KernelCall call;
    std::shared_ptr<void> arguments;
    bool cooperative;
    dim3 cluster;  ///< in blocks; 0 if the launch has no clusters
};

}  // namespace cudabook::emulation
