// The number of blocks that a multiprocessor holds, by the toolkit's calculator.
#pragma once

#include "common/program/device.hpp"
#include "occupancy/calculator/calculator.hpp"
#include "occupancy/calculator/gpu_model.hpp"

namespace cudabook::occupancy {

/// Returns the toolkit's calculator for a GPU.
Calculate calculator(const GpuModel& gpu);

/// Returns the properties of a GPU of this machine that the calculator needs. Errors: CudaError.
GpuModel model_of(const Device& device);

}  // namespace cudabook::occupancy
