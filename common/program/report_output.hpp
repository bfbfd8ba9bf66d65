// Writes a report to stdout and to a file.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report.hpp"

namespace cudabook {

/// The table goes to stdout, unless the JSON goes there or --quiet was given. With --summary, the summary
/// follows. The JSON goes to the destination of --json, and the page of the traced launches to the file of
/// --trace. The constructor opens these files, so that a file that cannot be written is an error before the
/// work begins; from then on launches are traced.
class ReportOutput {
  public:
    /// Errors: MachineError.
    explicit ReportOutput(const CommonOptions& options);

    /// Errors: MachineError; UsageError if there is no block to trace.
    void write(const Report& report);

  private:
    bool quiet_;
    bool on_stdout_;
    bool summary_;
    std::optional<OutputFile> file_;
    std::optional<OutputFile> trace_;
};

}  // namespace cudabook
