#include "common/window/display_options.hpp"

#include "common/program/command_line.hpp"
#include "common/window/window.hpp"

namespace cudabook {

void add_display_options(CommandLine& line, DisplayOptions& options, const std::string& window) {
    line.flag("--window", options.window, window);
    line.flag("--headless", options.headless, "Show nothing");
    line.exclude("--headless", "--window");
    line.flag("--no-vsync", options.no_vsync, "Show frames in the window without waiting for the monitor");
    line.option("--script", options.script, "Do the keys and drags of a file, in a window or headless")
        .type_name("FILE");
}

Display choose_display(const std::string& program, const DisplayOptions& options,
                       const CommonOptions& common) {
    if (options.window) return Display::window;
    if (options.headless || common.benchmark || common.several_kernels() || common.runs_some_blocks())
        return Display::headless;
    std::string why;
    if (display_available(&why)) return Display::window;
    note(common, program, "headless, because " + why);
    return Display::headless;
}

}  // namespace cudabook
