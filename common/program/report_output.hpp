// Where a report goes: to stdout, and into a file.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report.hpp"

namespace cudabook {

/// The table goes to stdout unless that is taken or nothing shall be printed, the JSON where it is asked for.
/// The JSON file is opened at construction, so that one that cannot be written is known before the work.
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
