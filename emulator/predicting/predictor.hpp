// The predictions of this program's launches, from which common/program/predictions.hpp gets them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/program/predictions.hpp"
#include "emulator/counting/counter.hpp"
#include "emulator/predicting/work.hpp"

namespace cudabook::emulation {

/// Returns what the launch's blocks are to add their work to; null if no times are predicted.
std::shared_ptr<LaunchWork> begin_prediction(const CountedLaunch& launch);

/// Returns whether a block of the launch is to run: all are, unless only the counted ones are asked for.
bool runs(const LaunchWork& launch, std::uint64_t block);

/// Returns whether all blocks of all launches run.
bool all_run();

/// Returns the predictions for the kernel since the last call.
std::vector<KernelPrediction> take_predictions(const void* kernel);

/// Returns whether take_counts() returns counts.
bool shows_counts();

/// Predicts the launch's time. Call this when all blocks have ended.
void end_prediction(LaunchWork& launch);

}  // namespace cudabook::emulation
