// What a run found: a table for people, JSON for machines, and the exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/errors.hpp"
#include "common/program/figures.hpp"
#include "common/program/measurement.hpp"

namespace cudabook {

/// What one kernel gave.
struct Result {
    std::string kernel;
    std::string memory;
    std::string checksum;          ///< empty: the kernel did not run
    std::optional<bool> verified;  ///< none: no comparison was asked for, or none could be made
    Figures figures = {};
};

/// Adds ms, ms_min, ms_max and of how many repetitions they are.
void add_figures(Figures& figures, const Measurement& time);

/// Adds what a kernel takes of a multiprocessor, and what it would need less of for more to be resident.
void add_figures(Figures& figures, const Occupancy& occupancy);

class Report {
  public:
    Report(std::string sample, Device device, Figures parameters);

    void add(Result result);

    /// A limit of the machine that was measured in this run, such as copy_gb_per_s.
    void add_ceiling(const std::string& name, double value);

    /// Whether no number was wrong.
    [[nodiscard]] bool ok() const;
    [[nodiscard]] ExitStatus exit_status() const { return ok() ? ExitStatus::ok : ExitStatus::wrong_number; }

    /// The report as JSON, indented, without a line break at its end. Numbers have five significant digits.
    [[nodiscard]] std::string json() const;

    /// Lines of text: the device, the ceilings, and a table with a row for each result.
    [[nodiscard]] std::string text() const;

  private:
    std::string sample_;
    Device device_;
    Figures parameters_;
    Figures ceilings_;
    std::vector<Result> results_;
};

}  // namespace cudabook
