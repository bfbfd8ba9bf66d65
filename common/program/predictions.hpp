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

/// The predicted time of a kernel's launches of one size.
struct KernelPrediction {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t blocks = 0;
    unsigned threads = 0;  ///< of a block
    double ms = 0;         ///< of a launch, on average; 0 if it is not predicted
    std::vector<Bound>
        bounds;           ///< of the last counted launch, the longest first; empty if it is not predicted
    std::string reason;   ///< what limits the kernel, or why it is not predicted, as a sentence
    Figures inputs = {};  ///< what that launch asks of the GPU, by warps: the input of the model
};

/// The predictions as text: for each the bounds and the reason.
std::string table_of(const std::vector<KernelPrediction>& predictions);

struct PredictionOptions {
    bool counts_all = false;         ///< whether all blocks of all launches are counted, and not a sample
    bool runs_only_counted = false;  ///< whether blocks that are not counted do not run
    bool shows_counts = false;       ///< whether take_counts() returns the counts too
};

/// The functions of a program that can predict. Such a program sets the pointer `predicting` before main().
struct Predicting {
    /// Predicts the times of the launches from now on. Errors: MachineError if objdump(1) is missing or
    /// CUDABOOK_PREDICT_REGISTERS is not a number from 1 to 255.
    void (*begin)(const PredictionOptions& options);
};
inline constinit const Predicting* predicting = nullptr;

}  // namespace cudabook
