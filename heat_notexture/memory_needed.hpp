// The host memory that a run needs.
#pragma once

#include <cstddef>

#include "common/program/device_kind.hpp"
#include "common/window/animation.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Returns how many bytes of host memory a run that shows its frames, or a benchmark, needs. Its kernels run
/// one after the other on a device of this kind, and their results are compared with the CPU's.
std::size_t bytes_needed(const Options& options, DeviceKind device, Display display);

/// Checks that bytes_needed() bytes of host memory are available. Errors: OutOfMemory if fewer are available.
void require_memory_for(const Options& options, DeviceKind device, Display display);

}  // namespace cudabook::heat
