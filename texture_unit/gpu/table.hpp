// The values in the tables that come from a GPU, real or emulated.
#pragma once

#include <array>
#include <vector>

#include "common/program/device.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook::texture_unit {

/// Fetches from `texture` at the points `at` with the texture unit, as the type Fetch (table/table.hpp)
/// requires. Errors: MachineError.
std::vector<Texel> fetch_from_gpu(const Device& device, const TextureModel& texture,
                                  const std::vector<std::array<float, 3>>& at);

/// Returns the largest sizes of textures and surfaces on the device. Errors: MachineError.
DeviceLimits limits_of(const Device& device);

}  // namespace cudabook::texture_unit
