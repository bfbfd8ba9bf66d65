// The host memory that a run needs.
#pragma once

#include <cstddef>

#include "common/program/device_kind.hpp"
#include "common/window/animation.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Returns how many bytes of host memory a benchmark, or a run that shows its frames, needs on a device of
/// this kind. The kernels run one after the other, and their results are compared with the CPU's results.
std::size_t bytes_needed(const Options& options, DeviceKind device, Display display);

/// Checks that bytes_needed() bytes of host memory are available. Errors: OutOfMemory if fewer are available.
void require_memory_for(const Options& options, DeviceKind device, Display display);

}  // namespace cudabook::heat
