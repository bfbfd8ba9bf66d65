// What the options that every sample has were given.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/program/device.hpp"

namespace cudabook {

struct CommonOptions {
    DeviceRequest device;
    std::string kernel;  ///< empty: the default
    bool list_kernels = false;
    std::optional<std::string> json;  ///< a file, or "-" for stdout
    bool benchmark = false;
    bool quiet = false;

    [[nodiscard]] bool all_kernels() const { return kernel == "all"; }
    [[nodiscard]] bool json_on_stdout() const { return json == "-"; }
};

/// A line on stderr for the user who asked nothing wrong but should know something.
void note(const CommonOptions& options, std::string_view sample, std::string_view text);

}  // namespace cudabook
