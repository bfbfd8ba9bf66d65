// Reports of the programs, as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace cudabook::test {

/// Returns the errors of a report by docs/report.schema.json, one line for each. Returns an empty string if
/// there is no error, or if valijson is missing, without which reports are not checked.
std::string errors_of_report(const nlohmann::json& report);

/// Parses a report. The test fails if the report is not as docs/report.schema.json says. Text that is no JSON
/// gives a discarded value (is_discarded()).
nlohmann::json report_of(const std::string& text);

}  // namespace cudabook::test
