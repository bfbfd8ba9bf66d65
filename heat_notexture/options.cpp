#include "heat_notexture/options.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "common/program/command_line.hpp"
#include "common/program/errors.hpp"
#include "heat_notexture/demo/keys.hpp"
#include "heat_notexture/parts/run_in_parts.hpp"

namespace cudabook::heat {

namespace {

void add_grid_options(CommandLine& line, Options& options) {
    constexpr int longest_side = 1 << 30;  // so that sums of a side and a tile's side fit an int
    line.option("--width", options.width, "Columns of the grid").in_range(1, longest_side);
    line.option("--height", options.height, "Rows of the grid").in_range(1, longest_side);
    line.option("--steps-per-frame", options.steps_per_frame, "Steps in each frame")
        .in_range(0, std::numeric_limits<int>::max())
        .show_default();
    line.option("--speed", options.speed,
                "Share of the difference to each neighbour that flows in one step; above 0.25 "
                "the temperatures become unstable")
        .finite()
        .show_default();
}

void add_frame_options(CommandLine& line, Options& options) {
    constexpr int most = std::numeric_limits<int>::max();
    line.option("--frames", options.frames, "Frames to do (default: unlimited in a window, 10 headless)")
        .in_range(0, most);
    add_display_options(line, options.display,
                        "Show the frames in a window (default where there is a display)");
    line.option("--png", options.png, "Write the last frame as a picture").type_name("FILE");
    line.option("--png-every", options.png_every,
                "Write every N-th frame as a picture: with --png a.png as a-000010.png and so on, else "
                "under the program's name")
        .in_range(1, most)
        .type_name("N");
    line.option("--video", options.video, "Write every frame to a video (needs ffmpeg)").type_name("FILE");
    line.flag("--no-verify", options.no_verify, "Do not compare with the CPU");
}

void add_options_of_parts(CommandLine& line, Options& options, std::string& devices) {
    line.option("--devices", devices,
                "all: divide the grid among all GPUs of this machine; some of them: --device cuda:0,cuda:1")
        .one_of({"all"})
        .type_name("WHICH");
    line.option(
            "--checkpoint", options.checkpoint,
            "Write the grid to this file (.npz) at the end or when interrupted; --resume continues from it")
        .type_name("FILE");
    line.option("--checkpoint-every", options.checkpoint_every, "Also after every N-th frame")
        .in_range(1, std::numeric_limits<int>::max())
        .type_name("N");
    line.option("--resume", options.resume,
                "Continue from a checkpoint, with its size, speed and steps a frame; --frames counts from "
                "the start")
        .type_name("FILE");
}

/// Errors: UsageError, for options that do not go together.
void check(const Options& options) {
    constexpr std::int64_t most_cells = std::int64_t{1} << 31U;
    if (!is_in_parts(options) && std::int64_t{options.width} * options.height > most_cells)
        throw UsageError(fmt::format(
            "--width {} --height {}: at most 2^31 cells; with mpirun or --devices all as many as fit",
            options.width, options.height));
    const DeviceRequest& device = options.common.device;
    if (options.all_devices && (device.kind == DeviceKind::cpu || device.index))
        throw UsageError("--devices: cannot be combined with this --device; leave one of them out");
    const bool benchmark = options.common.benchmark;
    const bool several_kernels = options.common.several_kernels();
    const auto refuse = [](bool both, const char* option, const char* why) {
        if (both) throw UsageError(fmt::format("{}: {}", option, why));
    };
    refuse(benchmark && options.display.window, "--window",
           "--benchmark shows nothing; leave one of them out");
    refuse(several_kernels && options.display.window, "--window",
           "shows one kernel; name it with --kernel, or use --headless");
    const std::pair<const char*, bool> pictures[] = {{"--png", options.png.has_value()},
                                                     {"--png-every", options.png_every.has_value()},
                                                     {"--video", options.video.has_value()}};
    for (const auto& [option, given] : pictures)
        refuse(benchmark && given, option, "--benchmark draws no picture; leave one of them out");
    refuse(benchmark && options.display.script, "--script",
           "--benchmark takes no keys; leave one of them out");
    refuse(several_kernels && options.png_every, "--png-every",
           "takes one kernel's frames; name it with --kernel");
    refuse(several_kernels && options.video, "--video", "takes one kernel's frames; name it with --kernel");
}

}  // namespace

Figures Options::parameters() const {
    return {{"width", width}, {"height", height}, {"steps_per_frame", steps_per_frame}, {"speed", speed}};
}

std::optional<Options> parse_options(const std::string& name, const std::string& what, int argc,
                                     const char* const* argv) {
    Options options;
    CommandLine line(name, what);
    add_grid_options(line, options);
    add_frame_options(line, options);
    std::string devices;
    add_options_of_parts(line, options, devices);
    line.allow_several_devices();
    line.footer(keys_for_help());

    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    const std::pair<const char*, bool&> given[] = {{"--devices", options.all_devices},
                                                   {"--width", options.width_given},
                                                   {"--height", options.height_given},
                                                   {"--steps-per-frame", options.steps_given},
                                                   {"--speed", options.speed_given}};
    for (const auto& [option, was_given] : given) was_given = line.given(option);
    // The blocks of `streamed`, the default kernel, wait for each other.
    const std::string& kernel = options.common.kernel;
    options.common.needs_all_blocks =
        kernel.empty() || kernel == "all" || kernel.find("streamed") != std::string::npos;
    check(options);
    if (options.common.runs_some_blocks()) options.no_verify = true;
    return options;
}

}  // namespace cudabook::heat
