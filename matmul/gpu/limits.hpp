// Functions that return why a GPU cannot run a kernel with matrices of a shape, or an empty string if it can.
#pragma once

#include <string>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// For a kernel on tensor cores. Errors: MachineError.
std::string why_no_tensor_cores(const Device& device, const void* kernel);

/// For A and B as linear textures. Errors: MachineError.
std::string why_no_linear_textures(const Device& device, const GemmShape& shape);

/// For A and B as two-dimensional textures. Errors: MachineError.
std::string why_no_2d_textures(const Device& device, const GemmShape& shape);

}  // namespace cudabook::matmul
