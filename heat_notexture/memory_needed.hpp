// How much of the host's memory a run takes.
#pragma once

#include <cstddef>

#include "common/program/device_kind.hpp"
#include "common/window/animation.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// The bytes for one kernel after the other on a device of that kind, with the comparison, in a run that
/// shows its frames or in a benchmark.
std::size_t bytes_needed(const Options& options, DeviceKind device, Display display);

/// Errors: OutOfMemory, where there are fewer.
void require_memory_for(const Options& options, DeviceKind device, Display display);

}  // namespace cudabook::heat
