// A run: kernels read arrays in patterns; each sum is compared with the reference, and the time is measured.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "access_patterns/access_patterns.hpp"
#include "common/program/common_options.hpp"
#include "common/program/errors.hpp"

namespace cudabook::access_patterns {

inline constexpr const char* program_name = "access_patterns";

struct RunOptions {
    CommonOptions common = {};
    std::vector<NamedPattern> patterns = {};
    std::vector<std::size_t> elements = {};     ///< the element sizes in bytes
    std::optional<Place> place = std::nullopt;  ///< nullopt: device, and with --benchmark mapped too
    std::optional<std::size_t> kb = std::nullopt;
    double degrees = 30;
    std::optional<std::string> png = std::nullopt;
};

/// Runs the kernels and returns the exit status. Errors: MachineError.
ExitStatus run_patterns(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                        const RunOptions& options);

}  // namespace cudabook::access_patterns
