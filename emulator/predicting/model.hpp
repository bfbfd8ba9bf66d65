// The model that computes the time of a launch from its work.
#pragma once

#include <string>
#include <vector>

#include "common/program/predictions.hpp"
#include "emulator/predicting/rates.hpp"
#include "emulator/predicting/work.hpp"

namespace cudabook::emulation {

/// The predicted time of a launch, and the bounds that it is computed from, the longest first. Without
/// bounds, the time is not predicted.
struct PredictedTime {
    double ms = 0;
    std::vector<Bound> bounds;
};

/// Predicts the time from the beginning of a kernel to the beginning of the next kernel in a CUDA graph.
PredictedTime predict(const Work& work, const LaunchShape& shape, const GpuRates& rates);

/// Returns a sentence that says what limits the kernel and which of its numbers is the reason.
std::string reason_of(const PredictedTime& time, const Work& work, const LaunchShape& shape,
                      const GpuRates& rates);

/// Returns the input of the model as figures, for JSON.
Figures inputs_of(const Work& work, const LaunchShape& shape);

}  // namespace cudabook::emulation
