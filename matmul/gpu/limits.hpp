// Functions that return why a GPU cannot run a kernel with matrices of a shape, or an empty string if it can.
#pragma once

#include <string>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns why the device cannot run `kernel`, which uses tensor cores, or an empty string. Errors:
/// MachineError.
std::string why_no_tensor_cores(const Device& device, const void* kernel);

/// Returns why A and B cannot be linear textures, or an empty string. Errors: MachineError.
std::string why_no_linear_textures(const Device& device, const GemmShape& shape);

/// Returns why A and B cannot be two-dimensional textures, or an empty string. Errors: MachineError.
std::string why_no_2d_textures(const Device& device, const GemmShape& shape);

}  // namespace cudabook::matmul
