// The report of a run: a table for people, JSON for programs, and the exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/program/counts.hpp"
#include "common/program/device.hpp"
#include "common/program/errors.hpp"
#include "common/program/figures.hpp"
#include "common/program/measurement.hpp"

namespace cudabook {

/// The result of one kernel.
struct Result {
    std::string kernel;
    std::string memory;
    std::string checksum;          ///< empty if the kernel did not run
    std::optional<bool> verified;  ///< nullopt if no comparison was requested or possible
    Figures figures = {};
    std::vector<KernelCounts> counts = {};  ///< with --counters, add() sets the counts since the last result
    std::optional<CountedWork> work = std::nullopt;  ///< the work of the kernels in `counts`
};

/// Adds ms, ms_min, ms_max and repetitions.
void add_figures(Figures& figures, const Measurement& time);

/// Adds registers, shared_bytes, occupancy_percent and occupancy_limit.
void add_figures(Figures& figures, const Occupancy& occupancy);

class Report {
  public:
    Report(std::string sample, Device device, Figures parameters);

    /// Adds a result. On an emulated GPU, removes the figures for registers, shared memory and occupancy,
    /// because only the compiler for a real GPU knows these values. If a kernel ran only some of its blocks,
    /// also removes the checksum and `verified`.
    void add(Result result);

    [[nodiscard]] const std::string& sample() const { return sample_; }

    /// Adds a limit of the machine, measured in the same run, such as copy_gb_per_s.
    void add_ceiling(const std::string& name, double value);

    /// Returns false if any result is wrong.
    [[nodiscard]] bool ok() const;
    [[nodiscard]] ExitStatus exit_status() const { return ok() ? ExitStatus::ok : ExitStatus::wrong_number; }

    /// The report as indented JSON, with no newline at the end. Numbers have five significant digits.
    [[nodiscard]] std::string json() const;

    /// The report as text: the device, the ceilings, and a table with a row for each result.
    [[nodiscard]] std::string text() const;

    /// The report as one line, with tabs between its columns: the sample, the device, the number of kernels,
    /// how many of the compared results are right, the fastest kernel, and its ms or ms_per_frame. The last
    /// two columns are empty on an emulated GPU, whose times are not comparable with others.
    [[nodiscard]] std::string summary() const;

  private:
    std::string sample_;
    Device device_;
    Figures parameters_;
    Figures ceilings_;
    std::vector<Result> results_;
};

}  // namespace cudabook
