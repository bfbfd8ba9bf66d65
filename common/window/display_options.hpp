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

/// Adds the options --window, --headless, --no-vsync and --script. `window` is the text for --window in
/// --help.
void add_display_options(CommandLine& line, DisplayOptions& options, const std::string& window);

/// Returns the display that --window or --headless requests. Without these options, returns `headless` for a
/// benchmark, for several kernels, and for kernels that run only some of their blocks (runs_some_blocks()).
/// Otherwise returns `window` if a window can be opened. If no window can be opened, returns `headless` and
/// prints the reason on stderr.
Display choose_display(const std::string& program, const DisplayOptions& options,
                       const CommonOptions& common);

}  // namespace cudabook
