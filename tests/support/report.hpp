// A report as the programs write it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace cudabook::test {

/// What is wrong with a report by docs/report.schema.json, one line for each error; empty: nothing, or
/// valijson is missing, without which that is not looked at.
std::string errors_of_report(const nlohmann::json& report);

/// A report, which must be as docs/report.schema.json says. Otherwise the test fails; what is no JSON is
/// discarded (is_discarded()).
nlohmann::json report_of(const std::string& text);

}  // namespace cudabook::test
