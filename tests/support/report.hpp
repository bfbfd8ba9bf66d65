// Reports of the programs, as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace cudabook::test {

/// Checks a report against docs/report.schema.json. Returns a line for each error. Returns an empty string if
/// there is no error, or if the build has no valijson, without which reports are not checked.
std::string errors_of_report(const nlohmann::json& report);

/// Parses a report. The test fails if the text is not JSON or the report violates docs/report.schema.json. If
/// the text is not JSON, returns a discarded value (is_discarded()).
nlohmann::json report_of(const std::string& text);

}  // namespace cudabook::test
