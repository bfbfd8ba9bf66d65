// Runs kernels, checks their results, and reports them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/program/common_options.hpp"
#include "common/program/errors.hpp"
#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

struct RunOptions {
    CommonOptions common;
    Request request;
    std::optional<std::string> png;
};

/// Runs the kernels, or benchmarks them with --benchmark, and returns the exit status.
ExitStatus run_kernels(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                       const RunOptions& options);

}  // namespace cudabook::occupancy
