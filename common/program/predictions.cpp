#include "common/program/predictions.hpp"

#include <fmt/format.h>

#include "common/program/json.hpp"

namespace cudabook {

namespace {

std::string time_text(double ms) {
    return ms < 1 ? fmt::format("{:.3g} µs", ms * 1000) : fmt::format("{:.4g} ms", ms);
}

}  // namespace

std::string table_of(const std::vector<KernelPrediction>& predictions) {
    std::string text;
    for (const KernelPrediction& one : predictions) {
        text += fmt::format("  {}, {} launch{} of {} x {} threads: {}\n", one.kernel, one.launches,
                            one.launches == 1 ? "" : "es", one.blocks, one.threads,
                            one.bounds.empty() ? "not predicted" : "predicted " + time_text(one.ms));
        for (const Bound& bound : one.bounds)
            text += fmt::format("      {:<24} {:>10}  {:3.0f} %\n", bound.resource, time_text(bound.ms),
                                100 * bound.ms / one.ms);
        text += fmt::format("      {}\n", one.reason);
    }
    return text;
}

Json json_of(const std::vector<KernelPrediction>& predictions) {
    Json all = Json::array();
    for (const KernelPrediction& one : predictions) {
        Json json{{"kernel", one.kernel},   {"launches", one.launches}, {"blocks", one.blocks},
                  {"threads", one.threads}, {"predicted_ms", one.ms},   {"bounds", Json::object()}};
        if (one.bounds.empty())
            json["predicted_ms"] = nullptr;
        else
            json["limited_by"] = one.bounds.front().resource;
        for (const Bound& bound : one.bounds) json["bounds"][bound.resource] = bound.ms;
        json["reason"] = one.reason;
        json["inputs"] = json_of(one.inputs);
        all.push_back(std::move(json));
    }
    return all;
}

}  // namespace cudabook
