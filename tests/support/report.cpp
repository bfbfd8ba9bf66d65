#include "tests/support/report.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#if CUDABOOK_HAS_VALIJSON
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#endif

#include "tests/support/folders.hpp"

namespace cudabook::test {

#if CUDABOOK_HAS_VALIJSON

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

struct ReportSchema : valijson::Schema {
    ReportSchema() {
        std::ifstream file(std::string(source_folder) + "/docs/report.schema.json");
        const nlohmann::json text = nlohmann::json::parse(file);
        valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(text), *this);
    }
};

}  // namespace

std::string errors_of_report(const nlohmann::json& report) {
    static const ReportSchema schema;
    valijson::ValidationResults results;
    valijson::Validator().validate(schema, Adapter(report), &results);
    std::string errors;
    for (const auto& error : results) {
        for (const std::string& place : error.context) errors += place;
        errors += ": " + error.description + '\n';
    }
    return errors;
}

#else

std::string errors_of_report(const nlohmann::json& /*report*/) { return {}; }

#endif

nlohmann::json report_of(const std::string& text) {
    nlohmann::json report = nlohmann::json::parse(text, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << text;
    if (!report.is_discarded()) EXPECT_EQ(errors_of_report(report), "") << text;
    return report;
}

}  // namespace cudabook::test
