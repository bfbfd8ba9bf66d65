// The command line of heat and heat_notexture.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/display_options.hpp"
#include "common/program/figures.hpp"

namespace cudabook::heat {

struct Options {
    CommonOptions common;
    int width = 1024;
    int height = 1024;
    bool size_given = false;
    std::optional<int> frames;  ///< none: unlimited in a window, 10 headless
    int steps_per_frame = 90;
    float speed = 0.25F;
    DisplayOptions display;
    std::optional<std::string> png;
    std::optional<int> png_every;
    std::optional<std::string> video;
    bool no_verify = false;

    /// What the numbers depend on, for the report.
    [[nodiscard]] Figures parameters() const;
};

/// Reads the command line of the program `name`; `what` is one line for --help. Nothing: --help or --version
/// was asked for, and answered. Errors: UsageError.
std::optional<Options> parse_options(const std::string& name, const std::string& what, int argc,
                                     const char* const* argv);

}  // namespace cudabook::heat
