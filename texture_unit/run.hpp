// A run through lessons: their kernels are compared, measured and drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/program/common_options.hpp"
#include "common/program/errors.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

struct RunOptions {
    CommonOptions common;
    int size = default_size;         ///< the pixels along each side of a picture
    std::optional<std::string> png;  ///< the file for one kernel's picture, or for a sheet of many
};

/// Runs the kernels, until an interrupt, and writes the report and the picture. Errors: MachineError.
ExitStatus run_lessons(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                       const RunOptions& options);

}  // namespace cudabook::texture_unit
