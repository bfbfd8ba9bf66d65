// A launch that waits for its turn in a graph, or for the end of its parent grid.
#pragma once

#include <memory>

#include <cuda_runtime_api.h>

#include "emulator/engine/launch.hpp"

namespace cudabook::emulation {

/// A launch that has not begun yet. `call.arguments` points to `arguments`, a copy that this object owns.
struct PendingLaunch {
    cudaLaunchConfig_t config;
    KernelCall call;
    std::shared_ptr<void> arguments;
    bool cooperative;
    dim3 cluster;  ///< a cluster's size in blocks; 0 if the launch has no clusters
};

}  // namespace cudabook::emulation
