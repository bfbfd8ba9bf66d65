// The list that --list-devices prints.
#pragma once

#include <string>

#include "common/program/device.hpp"

namespace cudabook {

/// A table with a line for each real GPU (or why there is none), the CPU, and each GPU that can be emulated:
/// the value of --device, the product, the compute capability, the multiprocessors or the CPU's hardware
/// threads, and the memory.
std::string device_list(const CudaDevices& cuda);

}  // namespace cudabook
