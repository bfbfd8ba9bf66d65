// The highest rates that kernels can reach without tensor cores.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/program/device.hpp"

namespace cudabook::matmul {

/// Returns the GPU's ceilings, by name, in TFLOP/s: the float32 peak, computed from the clock and the number
/// of cores, and the measured rate of a kernel of only fmas. An emulated GPU has only the measured rate,
/// because it has no clock.
std::vector<std::pair<std::string, double>> gpu_ceilings(const Device& device);

}  // namespace cudabook::matmul
