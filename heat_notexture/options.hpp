// The command line of heat and heat_notexture.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/figures.hpp"
#include "common/window/display_options.hpp"

namespace cudabook::heat {

inline constexpr int default_frames = 10;  ///< headless

struct Options {
    CommonOptions common;
    int width = 1024;
    int height = 1024;
    bool width_given = false;
    bool height_given = false;
    bool steps_given = false;
    bool speed_given = false;
    std::optional<int> frames;  ///< none: unlimited in a window, default_frames headless
    int steps_per_frame = 90;
    float speed = 0.25F;
    DisplayOptions display;
    std::optional<std::string> png;
    std::optional<int> png_every;
    std::optional<std::string> video;
    bool no_verify = false;
    bool all_devices = false;               ///< every GPU of the machine
    std::optional<std::string> checkpoint;  ///< the file that the state is kept in
    std::optional<int> checkpoint_every;    ///< in frames; none: at the end alone
    std::optional<std::string> resume;      ///< the file of the state to go on from

    [[nodiscard]] bool size_given() const { return width_given || height_given; }

    /// What the numbers depend on, for the report.
    [[nodiscard]] Figures parameters() const;
};

/// Reads the command line of the program `name`; `what` is one line for --help. Nothing: --help or --version
/// was asked for, and answered. Errors: UsageError.
std::optional<Options> parse_options(const std::string& name, const std::string& what, int argc,
                                     const char* const* argv);

}  // namespace cudabook::heat
