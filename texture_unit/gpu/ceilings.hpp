// What a GPU's memory and texture units can do at most.
#pragma once

#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// Measures them. Errors: MachineError.
Ceilings ceilings(const Device& device);

}  // namespace cudabook::texture_unit
