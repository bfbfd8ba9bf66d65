// The command line of the heat rooms.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/command_line.hpp"
#include "common/program/errors.hpp"
#include "common/program/figures.hpp"

namespace cudabook::heat {

/// What the user may do in the window: --help and H list it.
inline const std::vector<std::pair<std::string, std::string>>& keys() {
    static const std::vector<std::pair<std::string, std::string>> table{
        {"Space", "pause, go on"},
        {".", "a single frame"},
        {"K, Shift-K", "next, previous kernel"},
        {"D", "CPU and GPU in turn"},
        {"R", "the room as it was"},
        {"+, -", "more, fewer steps a frame"},
        {"S", "save a picture"},
        {"F", "full screen"},
        {"V", "wait for the monitor or not"},
        {"I", "show the panel or not"},
        {"H", "list the keys or not"},
        {"Esc, Q", "end"},
        {"left drag", "paint heat"},
        {"right drag", "paint cold"},
        {"Shift-drag", "take sources away"}};
    return table;
}

struct Options {
    CommonOptions common;
    int width = 1024;
    int height = 1024;
    bool size_given = false;
    std::optional<int> frames;  ///< none: unlimited in a window, 10 without
    int steps_per_frame = 90;
    float speed = 0.25F;
    bool window = false;
    bool headless = false;
    bool no_vsync = false;
    std::optional<std::string> script;
    std::optional<std::string> png;
    std::optional<int> png_every;
    std::optional<std::string> video;
    bool no_verify = false;

    /// What the numbers depend on.
    [[nodiscard]] Figures parameters() const {
        return {{"width", width}, {"height", height}, {"steps_per_frame", steps_per_frame}, {"speed", speed}};
    }
};

/// The keys as the end of --help.
inline std::string keys_for_help() {
    std::string text = "In the window:\n";
    for (const auto& [key, what] : keys()) text += fmt::format("  {:<12}{}\n", key, what);
    return text;
}

/// Nothing: --help or --version was asked for, and answered. Errors: UsageError.
inline std::optional<Options> parse_options(const std::string& name, const std::string& what, int argc,
                                            const char* const* argv) {
    constexpr int most = std::numeric_limits<int>::max();
    constexpr int longest_side = 1 << 30;  // so that sums of a side and a tile's side fit an int
    Options options;
    CommandLine line(name, what);
    CLI::App& app = line.app();
    const auto* width =
        app.add_option("--width", options.width, "Columns of the grid")->check(in_range(1, longest_side));
    const auto* height =
        app.add_option("--height", options.height, "Rows of the grid")->check(in_range(1, longest_side));
    app.add_option("--frames", options.frames, "Frames to do (default: unlimited in a window, 10 headless)")
        ->check(in_range(0, most));
    app.add_option("--steps-per-frame", options.steps_per_frame, "Steps in each frame")
        ->check(in_range(0, most))
        ->capture_default_str();
    app.add_option("--speed", options.speed,
                   "Share of the difference to each neighbour that flows in one step; above 0.25 "
                   "the room becomes unstable")
        ->check(finite())
        ->capture_default_str();
    auto* window = app.add_flag("--window", options.window,
                                "Show the frames in a window (default where there is a display)");
    app.add_flag("--headless", options.headless, "Show nothing")->excludes(window);
    app.add_flag("--no-vsync", options.no_vsync, "Show frames in the window without waiting for the monitor");
    app.add_option("--script", options.script,
                   "Do the keys and drags that are written there, in a window or without")
        ->type_name("FILE");
    app.add_option("--png", options.png, "Write the last frame as a picture")->type_name("FILE");
    app.add_option("--png-every", options.png_every,
                   "Write every N-th frame as a picture: with --png a.png as a-000010.png and so on, else "
                   "under the room's name")
        ->check(in_range(1, most))
        ->type_name("N");
    app.add_option("--video", options.video, "Write every frame to a video (needs ffmpeg)")
        ->type_name("FILE");
    app.add_flag("--no-verify", options.no_verify, "Do not compare with the CPU");
    app.footer(keys_for_help());

    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    options.size_given = width->count() + height->count() > 0;
    constexpr std::int64_t most_cells = std::int64_t{1} << 31U;
    if (std::int64_t{options.width} * options.height > most_cells)
        throw UsageError(
            fmt::format("--width {} --height {}: at most 2^31 cells", options.width, options.height));
    if (options.window && options.common.benchmark)
        throw UsageError("--window: --benchmark shows nothing; leave one of them out");
    if (options.window && options.common.all_kernels())
        throw UsageError("--window: shows one kernel; name it with --kernel, or use --headless");
    const std::pair<const char*, bool> of_a_show[] = {{"--png", options.png.has_value()},
                                                      {"--png-every", options.png_every.has_value()},
                                                      {"--video", options.video.has_value()}};
    for (const auto& [option, given] : of_a_show)
        if (given && options.common.benchmark)
            throw UsageError(fmt::format("{}: --benchmark draws no picture; leave one of them out", option));
    if (options.script && options.common.benchmark)
        throw UsageError("--script: --benchmark takes no keys; leave one of them out");
    if (options.png_every && options.common.all_kernels())
        throw UsageError("--png-every: takes one kernel's frames; name it with --kernel");
    if (options.video && options.common.all_kernels())
        throw UsageError("--video: takes one kernel's frames; name it with --kernel");
    return options;
}

}  // namespace cudabook::heat
