// The command line of heat and heat_notexture.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/program/figures.hpp"
#include "common/window/display_options.hpp"

namespace cudabook::heat {

inline constexpr int default_frames = 10;  ///< the number of frames in a headless run

struct Options {
    CommonOptions common;
    int width = 1024;
    int height = 1024;
    bool width_given = false;
    bool height_given = false;
    bool steps_given = false;
    bool speed_given = false;
    std::optional<int> frames;  ///< nullopt: unlimited in a window, default_frames headless
    int steps_per_frame = 90;
    float speed = 0.25F;
    DisplayOptions display;
    std::optional<std::string> png;
    std::optional<int> png_every;
    std::optional<std::string> video;
    bool no_verify = false;
    bool all_devices = false;               ///< whether to use every GPU of the machine
    std::optional<std::string> checkpoint;  ///< the file to which the state is saved
    std::optional<int> checkpoint_every;    ///< the frames between two saves; nullopt: only at the end
    std::optional<std::string> resume;      ///< the file with the state to resume from

    [[nodiscard]] bool size_given() const { return width_given || height_given; }

    /// The parameters that the results depend on, for the report.
    [[nodiscard]] Figures parameters() const;
};

/// Reads the command line of the program `name`; `what` is its description for --help, in one line. Returns
/// nullopt if --help or --version was given and has been answered. Errors: UsageError.
std::optional<Options> parse_options(const std::string& name, const std::string& what, int argc,
                                     const char* const* argv);

}  // namespace cudabook::heat
