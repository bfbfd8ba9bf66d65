// The rates that no kernel without tensor cores exceeds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/program/device.hpp"

namespace cudabook::matmul {

/// The float32 peak by clock and cores, and what nothing but fmas reaches, measured; in TFLOP/s.
std::vector<std::pair<std::string, double>> gpu_ceilings(const Device& device);

}  // namespace cudabook::matmul
