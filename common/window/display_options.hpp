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

/// Adds --window, whose text in --help is `window`, --headless, --no-vsync and --script.
void add_display_options(CommandLine& line, DisplayOptions& options, const std::string& window);

/// The display that --window or --headless asks for. Without these options, the result is `headless` with
/// --benchmark or several kernels. Else it is `window` if a window can be opened; if not, it is `headless`,
/// and a line on stderr says why.
Display choose_display(const std::string& program, const DisplayOptions& options,
                       const CommonOptions& common);

}  // namespace cudabook
