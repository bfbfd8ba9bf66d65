// The values of the options that every sample has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/trace.hpp"

namespace cudabook {

struct CommonOptions {
    DeviceRequest device;
    bool list_devices = false;
    std::optional<unsigned> schedule;  ///< the seed of the order in which an emulated GPU runs its threads
    bool counters = false;             ///< whether to count the memory accesses of kernels on an emulated GPU
    bool predict = false;              ///< whether to predict the kernels' times on the GPU that is emulated
    std::optional<unsigned> registers;  ///< the registers per thread that a prediction assumes; default: 32
    bool needs_all_blocks = false;     ///< whether blocks wait for other blocks, so that every block must run
    std::optional<std::string> trace;  ///< the file for the page with the traced launches
    TraceOptions trace_options;
    std::string kernel;  ///< kernels separated by commas, or "all"; empty for the default kernel
    bool list_kernels = false;
    std::optional<std::string> json;  ///< the file for the report as JSON, or "-" for stdout
    bool summary = false;             ///< whether to print Report::summary() at the end of stdout
    bool benchmark = false;
    bool quiet = false;
    std::vector<std::string> arguments;  ///< the command line; the first element is the program

    /// Returns true if the program only prints lists. No other option is required then.
    [[nodiscard]] bool only_lists() const { return list_devices || list_kernels; }
    [[nodiscard]] bool several_kernels() const {
        return kernel == "all" || kernel.find(',') != std::string::npos;
    }
    /// The kernels named in `kernel`, each once, in the order in which they were named.
    [[nodiscard]] std::vector<std::string> named_kernels() const;
    /// Returns true if kernels run only a sample of their blocks, from which their times are predicted. The
    /// results are then incomplete and must not be compared with the reference.
    [[nodiscard]] bool runs_some_blocks() const {
        return predict && !counters && !trace && !needs_all_blocks;
    }
    [[nodiscard]] bool json_on_stdout() const { return json == "-"; }
};

/// Prints a note on stderr, unless --quiet was given.
void note(const CommonOptions& options, std::string_view sample, std::string_view text);

}  // namespace cudabook
