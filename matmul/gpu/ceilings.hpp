// The rates that no kernel without tensor cores exceeds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/program/device.hpp"

namespace cudabook::matmul {

/// The GPU's ceilings in TFLOP/s: the float32 peak by clock and cores (not for the emulated GPU, which has no
/// clock), and the measured rate of a kernel of only fmas.
std::vector<std::pair<std::string, double>> gpu_ceilings(const Device& device);

}  // namespace cudabook::matmul
