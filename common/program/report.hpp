// What a run found: a table for people, JSON for machines, and the exit status.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/numbers/crc32.hpp"
#include "common/program/device.hpp"
#include "common/program/errors.hpp"
#include "common/program/measurement.hpp"

namespace cudabook {

/// Keeps the order in which its members are written.
using Json = nlohmann::ordered_json;

/// What one kernel gave.
struct Result {
    std::string kernel;
    std::string memory;
    std::string checksum;           ///< empty: the kernel did not run
    std::optional<bool> verified;   ///< none: no comparison was asked for, or none could be made
    Json figures = Json::object();  ///< numbers and words; each name carries its unit: ms, gcells_per_s, ...
};

/// Adds ms, ms_min, ms_max and of how many repetitions they are.
inline void add_figures(Json& figures, const Measurement& time) {
    figures["ms"] = time.median;
    figures["ms_min"] = time.min;
    figures["ms_max"] = time.max;
    figures["repetitions"] = time.repetitions;
}

/// Adds what a kernel takes of a multiprocessor, and what it would need less of for more to be resident.
inline void add_figures(Json& figures, const Occupancy& occupancy) {
    figures["registers"] = occupancy.registers;
    figures["shared_bytes"] = occupancy.shared_bytes;
    figures["occupancy_percent"] = occupancy.percent;
    figures["occupancy_limit"] = occupancy.limit;
}

class Report {
  public:
    Report(std::string sample, Device device, Json parameters)
        : sample_(std::move(sample)), device_(std::move(device)), parameters_(std::move(parameters)) {}

    void add(Result result) { results_.push_back(std::move(result)); }

    /// A limit of the machine that was measured in this run, such as copy_gb_per_s.
    void add_ceiling(const std::string& name, double value) { ceilings_[name] = rounded(value); }

    /// Whether no number was wrong.
    [[nodiscard]] bool ok() const {
        return std::ranges::none_of(results_, [](const Result& r) { return r.verified == false; });
    }
    [[nodiscard]] ExitStatus exit_status() const { return ok() ? ExitStatus::ok : ExitStatus::wrong_number; }

    [[nodiscard]] Json json() const {
        Json report{{"sample", sample_}, {"version", CUDABOOK_VERSION}};
        report["device"] = {{"kind", name_of(device_.kind)}, {"name", device_.name}};
        if (device_.kind == DeviceKind::cuda) {
            report["device"]["index"] = device_.index;
            report["device"]["compute_capability"] = device_.compute_capability;
            report["device"]["memory_bytes"] = device_.memory_bytes;
            report["device"]["multiprocessors"] = device_.units;
        } else {
            report["device"]["threads"] = device_.units;
        }
        report["parameters"] = parameters_;
        if (!ceilings_.empty()) report["ceilings"] = ceilings_;
        report["results"] = Json::array();
        for (const Result& r : results_) {
            Json row{
                {"kernel", r.kernel}, {"memory", r.memory}, {"checksum", r.checksum}, {"verified", nullptr}};
            if (r.checksum.empty()) row["checksum"] = nullptr;
            if (r.verified) row["verified"] = *r.verified;
            for (const auto& [name, value] : r.figures.items())
                row[name] = value.is_number_float() ? Json(rounded(value.get<double>())) : value;
            report["results"].push_back(std::move(row));
        }
        report["ok"] = ok();
        return report;
    }

    /// Lines of text: the device, the ceilings, and a table with a row for each result.
    [[nodiscard]] std::string text() const {
        std::string text = fmt::format("{} on {}: {}\n", sample_, name_of(device_.kind), device_.name);
        for (const auto& [name, value] : ceilings_.items())
            text += fmt::format("ceiling: {} = {}\n", name, cell(value));

        std::vector<std::vector<std::string>> table{{"kernel", "memory", "checksum", "verified"}};
        for (const Result& r : results_)
            for (const auto& [name, value] : r.figures.items())
                if (std::ranges::find(table[0], name) == table[0].end()) table[0].push_back(name);
        for (const Result& r : results_) {
            std::vector<std::string> row{r.kernel, r.memory, r.checksum.empty() ? "-" : r.checksum,
                                         r.verified ? (*r.verified ? "yes" : "NO") : "not compared"};
            for (std::size_t i = row.size(); i < table[0].size(); ++i)
                row.push_back(r.figures.contains(table[0][i]) ? cell(r.figures[table[0][i]]) : "-");
            table.push_back(std::move(row));
        }
        std::vector<std::size_t> widths(table[0].size());
        for (const auto& row : table)
            for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
        for (const auto& row : table) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i)
                line += i < 4 ? fmt::format("{:<{}}  ", row[i], widths[i])
                              : fmt::format("{:>{}}  ", row[i], widths[i]);
            text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        }
        return text;
    }

  private:
    /// Five significant digits are more than any clock gives.
    static double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }

    static std::string cell(const Json& value) {
        if (value.is_string()) return value.get<std::string>();
        if (!value.is_number_float()) return value.dump();
        const double number = value.get<double>();
        if (number != 0 && std::abs(number) < 0.001) return fmt::format("{:.2e}", number);
        return fmt::format("{:.{}f}", number, number < 10 ? 3 : number < 1000 ? 1 : 0);
    }

    std::string sample_;
    Device device_;
    Json parameters_;
    Json ceilings_ = Json::object();
    std::vector<Result> results_;
};

}  // namespace cudabook
