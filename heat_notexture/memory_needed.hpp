// The host memory that a run needs.
#pragma once

#include <cstddef>

#include "common/program/device_kind.hpp"
#include "common/window/animation.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Returns the bytes of host memory for kernels that run one after the other on a device of this kind and are
/// compared with the CPU, in a run that shows its frames or in a benchmark.
std::size_t bytes_needed(const Options& options, DeviceKind device, Display display);

/// Errors: OutOfMemory if less host memory is available.
void require_memory_for(const Options& options, DeviceKind device, Display display);

}  // namespace cudabook::heat
