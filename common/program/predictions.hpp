// Predicted times of kernels on the GPU that the emulated GPU imitates: see docs/predict.md. A program
// predicts if it counts (common/program/counts.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/program/figures.hpp"

namespace cudabook {

/// A resource of a GPU, and the time that a kernel would need if only this resource limited it.
struct Bound {
    std::string resource;
    double ms;
};

/// The predicted time of a kernel's launches with one launch configuration.
struct KernelPrediction {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t blocks = 0;
    unsigned threads = 0;  ///< per block
    double ms = 0;         ///< the average time of a launch; 0 if no time could be predicted
    std::vector<Bound>
        bounds;  ///< for the last counted launch, the longest first; empty if no time could be predicted
    std::string reason;   ///< what limits the kernel, or why no time could be predicted
    Figures inputs = {};  ///< the input of the model: what the warps of the last counted launch ask for
};

/// Returns the predictions as text: the time, the bounds and the reason of each prediction.
std::string table_of(const std::vector<KernelPrediction>& predictions);

struct PredictionOptions {
    bool counts_all = false;         ///< whether to count all blocks of all launches instead of a sample
    bool runs_only_counted = false;  ///< whether blocks that are not counted may be skipped
    bool shows_counts = false;       ///< whether the report shows the counts too
};

/// The functions of a program that can predict. Such a program sets the pointer `predicting` before main().
struct Predicting {
    /// Predicts the times of the launches from now on. Errors: MachineError if objdump(1) is missing or
    /// CUDABOOK_PREDICT_REGISTERS is not a number from 1 to 255.
    void (*begin)(const PredictionOptions& options);
};
inline constinit const Predicting* predicting = nullptr;

}  // namespace cudabook
