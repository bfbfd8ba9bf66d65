// Writes a report to stdout and to a file.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report.hpp"

namespace cudabook {

/// Writes the report of a run. The table goes to stdout, unless the JSON goes to stdout or --quiet was given.
/// With --summary, the summary follows. The JSON goes to the file that --json names, and the page of the
/// traced launches to the file that --trace names. The constructor opens these files, so that a file that
/// cannot be written is an error before the work begins. With --trace, the constructor also starts the
/// tracing of launches.
class ReportOutput {
  public:
    /// Errors: MachineError.
    explicit ReportOutput(const CommonOptions& options);

    /// Errors: MachineError; UsageError if no launch had the block to trace.
    void write(const Report& report);

  private:
    bool quiet_;
    bool on_stdout_;
    bool summary_;
    std::optional<OutputFile> file_;
    std::optional<OutputFile> trace_;
};

}  // namespace cudabook
