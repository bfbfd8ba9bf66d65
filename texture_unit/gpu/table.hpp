// The entries of the tables that come from a GPU, real or emulated.
#pragma once

#include <array>
#include <vector>

#include "common/program/device.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook::texture_unit {

/// Fetches with the texture unit, as a table's Fetch does. Errors: MachineError.
std::vector<Texel> fetch_from_gpu(const Device& device, const TextureModel& texture,
                                  const std::vector<std::array<float, 3>>& at);

/// The device's size limits. Errors: MachineError.
DeviceLimits limits_of(const Device& device);

}  // namespace cudabook::texture_unit
