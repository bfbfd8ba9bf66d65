// What a GPU's memory and texture units can do at most.
#pragma once

#include <cstddef>

#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Measures them. Errors: MachineError.
Ceilings ceilings(const Device& device);

/// The rate of a copy that reads and writes `bytes` in all, by a kernel or by the driver, whichever is
/// quicker. Errors: MachineError.
double copy_gb_per_s(const Device& device, std::size_t bytes);

}  // namespace cudabook::texture_unit
