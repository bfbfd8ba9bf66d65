// Runs kernels that read arrays in patterns, compares each sum with the reference, and with --benchmark
// measures the time.
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
    std::optional<Place> place = std::nullopt;  ///< if nullopt: device, and with --benchmark also mapped
    std::optional<std::size_t> kb = std::nullopt;
    double degrees = 30;
    std::optional<std::string> png = std::nullopt;
};

/// Runs the kernels and returns the exit status. Errors: MachineError.
ExitStatus run_patterns(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                        const RunOptions& options);

}  // namespace cudabook::access_patterns
