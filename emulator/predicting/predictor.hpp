// Predicts the times of this program's launches, for common/program/predictions.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/program/predictions.hpp"
#include "emulator/counting/counter.hpp"
#include "emulator/predicting/work.hpp"

namespace cudabook::emulation {

/// Returns the object to which the launch's blocks add their work, or null if no times are predicted.
std::shared_ptr<LaunchWork> begin_prediction(const CountedLaunch& launch);

/// Returns whether a block must run. If PredictionOptions::runs_only_counted is set, large launches run only
/// the blocks whose work is counted. Otherwise all blocks run.
bool runs(const LaunchWork& launch, std::uint64_t block);

/// Returns whether all blocks of all launches run.
bool all_run();

/// Returns the predictions for the kernel's launches since the last call.
std::vector<KernelPrediction> take_predictions(const void* kernel);

/// Returns whether take_counts() returns counts.
bool shows_counts();

/// Predicts the launch's time. Call this when all blocks have ended.
void end_prediction(LaunchWork& launch);

}  // namespace cudabook::emulation
