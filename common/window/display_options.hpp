// The options of programs that show their frames in a window or not at all.
#pragma once

#include <optional>
#include <string>

#include "common/program/common_options.hpp"
#include "common/window/display.hpp"

namespace cudabook {

class CommandLine;

struct DisplayOptions {
    bool window = false;
    bool headless = false;
    bool no_vsync = false;
    std::optional<std::string> script;  ///< a file of inputs (common/window/input_script.hpp)
};

/// Adds --window, which --help explains by `window`, --headless, --no-vsync and --script.
void add_display_options(CommandLine& line, DisplayOptions& options, const std::string& window);

/// What was asked for; else a window where there is a display, and headless where there is none, which a line
/// on stderr then says. With --benchmark or all kernels nothing is shown.
Display choose_display(const std::string& program, const DisplayOptions& options,
                       const CommonOptions& common);

}  // namespace cudabook
