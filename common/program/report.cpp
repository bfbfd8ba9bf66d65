#include "common/program/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "common/program/json.hpp"
#include "common/program/text_table.hpp"
#include "common/program/version.hpp"

namespace cudabook {

namespace {

/// Rounds to five significant digits, which is more than any clock resolves.
double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }

std::string cell(const Figure& figure) {
    if (const auto* word = std::get_if<std::string>(&figure.value)) return *word;
    const auto* real = std::get_if<double>(&figure.value);
    if (real == nullptr) return json_of(figure).dump();
    const double number = *real;
    if (number != 0 && std::abs(number) < 0.001) return fmt::format("{:.2e}", number);
    return fmt::format("{:.{}f}", number, number < 10 ? 3 : number < 1000 ? 1 : 0);
}

std::string yes_or_no(const std::optional<bool>& verified) {
    return verified ? (*verified ? "yes" : "NO") : "not compared";
}

/// Returns whether the accesses of the result's kernels were counted.
bool has_counts(const Result& result) { return !result.counts.empty() && result.counts.front().is_counted; }

/// Returns whether all blocks of the result's kernels have run.
bool all_ran(const Result& result) { return std::ranges::all_of(result.counts, &KernelCounts::all_ran); }

std::vector<KernelPrediction> predictions_of(const Result& result) {
    std::vector<KernelPrediction> all;
    for (const KernelCounts& kernel : result.counts)
        all.insert(all.end(), kernel.predictions.begin(), kernel.predictions.end());
    return all;
}

/// Adds predicted_ms, the time of all launches, and a list of predictions. The time is null if that of a
/// kernel is not predicted.
void add_predictions(Json& row, const std::vector<KernelPrediction>& predictions) {
    if (predictions.empty()) return;
    double ms = 0;
    for (const KernelPrediction& one : predictions) ms += static_cast<double>(one.launches) * one.ms;
    const bool all = std::ranges::none_of(predictions, &std::vector<Bound>::empty, &KernelPrediction::bounds);
    row["predicted_ms"] = all ? Json(rounded(ms)) : Json(nullptr);
    row["predictions"] = json_of(predictions);
}

/// The time of a result: ms_per_frame or ms. Returns nullopt if the result was not timed.
std::optional<double> ms_of(const Result& result) {
    for (const char* name : {"ms_per_frame", "ms"})
        if (const Figure* figure = result.figures.find(name))
            if (const auto* ms = std::get_if<double>(&figure->value)) return *ms;
    return std::nullopt;
}

}  // namespace

void add_figures(Figures& figures, const Measurement& time) {
    figures["ms"] = time.median;
    figures["ms_min"] = time.min;
    figures["ms_max"] = time.max;
    figures["repetitions"] = time.repetitions;
}

void add_figures(Figures& figures, const Occupancy& occupancy) {
    figures["registers"] = occupancy.registers;
    figures["shared_bytes"] = occupancy.shared_bytes;
    figures["occupancy_percent"] = occupancy.percent;
    figures["occupancy_limit"] = occupancy.limit;
}

Report::Report(std::string sample, Device device, Figures parameters)
    : sample_(std::move(sample)), device_(std::move(device)), parameters_(std::move(parameters)) {}

void Report::add(Result result) {
    // Only the compiler for a real GPU determines these four figures.
    if (device_.kind == DeviceKind::emulated)
        for (const char* figure : {"registers", "shared_bytes", "occupancy_percent", "occupancy_limit"})
            result.figures.erase(figure);
    if (result.counts.empty()) result.counts = take_counts(result.kernel);
    if (!all_ran(result)) {
        result.checksum.clear();
        result.verified.reset();
    }
    results_.push_back(std::move(result));
}

void Report::add_ceiling(const std::string& name, double value) { ceilings_[name] = rounded(value); }

bool Report::ok() const {
    return std::ranges::none_of(results_, [](const Result& r) { return r.verified == false; });
}

std::string Report::json() const {
    Json report{{"report_version", 1}, {"sample", sample_}, {"version", version}};
    if (*commit != 0) report["commit"] = commit;
    report["device"] = {{"kind", name_of(device_.kind)}, {"name", device_.name}};
    if (is_gpu(device_.kind)) {
        report["device"]["index"] = device_.index;
        report["device"]["compute_capability"] = device_.compute_capability;
        report["device"]["memory_bytes"] = device_.memory_bytes;
        report["device"]["multiprocessors"] = device_.units;
    } else {
        report["device"]["threads"] = device_.units;
    }
    report["parameters"] = json_of(parameters_);
    if (ceilings_.begin() != ceilings_.end()) report["ceilings"] = json_of(ceilings_);
    report["results"] = Json::array();
    for (const Result& r : results_) {
        Json row{{"kernel", r.kernel}, {"memory", r.memory}, {"checksum", r.checksum}, {"verified", nullptr}};
        if (r.checksum.empty()) row["checksum"] = nullptr;
        if (r.verified) row["verified"] = *r.verified;
        for (const auto& [name, figure] : r.figures) {
            const auto* number = std::get_if<double>(&figure.value);
            row[name] = number != nullptr ? Json(rounded(*number)) : json_of(figure);
        }
        add_predictions(row, predictions_of(r));
        if (has_counts(r)) {
            if (r.work) row["counted_" + r.work->element] = r.work->elements;
            row["counters"] = Json::array();
            for (const KernelCounts& kernel : r.counts)
                row["counters"].push_back(json_of(figures_of(kernel)));
        }
        report["results"].push_back(std::move(row));
    }
    report["ok"] = ok();
    return report.dump(2);
}

std::string Report::text() const {
    std::string text = fmt::format("{} on {}: {}\n", sample_, name_of(device_.kind), device_.name);
    for (const auto& [name, value] : ceilings_) text += fmt::format("ceiling: {} = {}\n", name, cell(value));

    std::vector<std::string> headings{"kernel", "memory", "checksum", "verified"};
    const std::size_t words = headings.size();
    for (const Result& r : results_)
        for (const auto& [name, figure] : r.figures)
            if (std::ranges::find(headings, name) == headings.end()) headings.push_back(name);
    TextTable table(headings, words);
    for (const Result& r : results_) {
        std::vector<std::string> row{r.kernel, r.memory, r.checksum.empty() ? "-" : r.checksum,
                                     yes_or_no(r.verified)};
        for (std::size_t i = words; i < headings.size(); ++i) {
            const Figure* figure = r.figures.find(headings[i]);
            row.push_back(figure == nullptr ? "-" : cell(*figure));
        }
        table.add(std::move(row));
    }
    text += table.text();
    std::vector<CountedResult> counted;
    for (const Result& r : results_)
        if (has_counts(r)) counted.push_back({r.kernel, r.counts, r.work});
    if (!counted.empty()) text += '\n' + table_of(counted);
    std::string predicted;
    for (const Result& r : results_) {
        const std::string times = table_of(predictions_of(r));
        if (!times.empty()) predicted += r.kernel + '\n' + times;
    }
    if (!predicted.empty())
        text += fmt::format("\nPredicted times on {}, per launch; nothing was measured.\n{}", device_.name,
                            predicted);
    if (!std::ranges::all_of(results_, all_ran))
        text += "Only a part of the blocks has run, so results are not compared; with --counters, all run.\n";
    return text;
}

std::string Report::summary() const {
    std::set<std::string> kernels;
    const Result* fastest = nullptr;
    for (const Result& r : results_) {
        kernels.insert(r.kernel);
        const std::optional<double> ms = ms_of(r);
        if (ms && (fastest == nullptr || *ms < *ms_of(*fastest))) fastest = &r;
    }
    if (device_.kind == DeviceKind::emulated) fastest = nullptr;
    const auto compared =
        std::ranges::count_if(results_, [](const Result& r) { return r.verified.has_value(); });
    const auto right = std::ranges::count_if(results_, [](const Result& r) { return r.verified == true; });
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}", sample_, device_.name, kernels.size(),
                       compared == 0 ? "not compared" : fmt::format("{} of {} right", right, compared),
                       fastest == nullptr ? "" : fastest->kernel,
                       fastest == nullptr ? "" : fmt::format("{:.3f} ms", *ms_of(*fastest)));
}

}  // namespace cudabook
