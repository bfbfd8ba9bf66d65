// Writes a report to stdout and to a file.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report.hpp"

namespace cudabook {

/// The table goes to stdout, unless the JSON goes there or --quiet was given; the JSON goes where --json
/// says. The constructor opens the JSON file, so that a file that cannot be written is an error before the
/// work begins.
class ReportOutput {
  public:
    /// Errors: MachineError.
    explicit ReportOutput(const CommonOptions& options);

    /// Errors: MachineError.
    void write(const Report& report);

  private:
    bool quiet_;
    bool on_stdout_;
    std::optional<OutputFile> file_;
};

}  // namespace cudabook
