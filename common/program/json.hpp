// Figures and predictions as JSON.
#pragma once

#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/program/figures.hpp"
#include "common/program/predictions.hpp"

namespace cudabook {

using Json = nlohmann::ordered_json;

inline Json json_of(const Figure& figure) {
    return std::visit([](const auto& value) { return Json(value); }, figure.value);
}

inline Json json_of(const Figures& figures) {
    Json json = Json::object();
    for (const auto& [name, figure] : figures) json[name] = json_of(figure);
    return json;
}

/// Returns an array with one object for each prediction, in the form that docs/report.schema.json describes.
Json json_of(const std::vector<KernelPrediction>& predictions);

}  // namespace cudabook
