// The values of the options that every sample has.
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

/// Prints a note on stderr, unless --quiet was given.
void note(const CommonOptions& options, std::string_view sample, std::string_view text);

}  // namespace cudabook
