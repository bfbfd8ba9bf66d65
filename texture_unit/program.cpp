#include "texture_unit/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/command_line.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "common/program/threads.hpp"
#include "common/window/display_options.hpp"
#include "common/window/input_script.hpp"
#include "texture_unit/demo/demo.hpp"
#include "texture_unit/demo/keys.hpp"
#include "texture_unit/picture/test_card.hpp"
#include "texture_unit/run.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook::texture_unit {

namespace {

constexpr const char* name = "texture_unit";

struct Options {
    CommonOptions common;
    int size = default_size;
    std::optional<std::string> png;
    bool table = false;
    DisplayOptions display;
    std::optional<int> frames;

    /// Whether to show the window, or to run its script headless, instead of the lessons.
    [[nodiscard]] bool shows_window() const { return display.window || display.script; }
};

/// Returns nullopt if --help or --version was given, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    constexpr int largest = 8192;
    Options options;
    CommandLine line(name,
                     "Shows what the texture unit does besides reading memory, one lesson for each kernel");
    line.option("--size", options.size, "Side of the pictures in pixels").in_range(1, largest).show_default();
    line.option("--png", options.png, "Write the lesson's picture, or with all kernels a sheet of all")
        .type_name("FILE");
    line.flag("--table", options.table,
              "Check the examples of the guide's chapter, and show the limits of textures and surfaces");
    add_display_options(line, options.display, "Show the test card in a window, instead of the lessons");
    line.option("--frames", options.frames,
                "Frames to show (default: unlimited in a window; headless until the script ends)")
        .in_range(0, std::numeric_limits<int>::max());
    line.footer(window_keys_for_help());
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    const auto refuse = [](bool both, const char* option, const char* because) {
        if (both) throw UsageError(fmt::format("{} cannot be combined with {}", option, because));
    };
    refuse(options.common.benchmark && options.png, "--png", "--benchmark, which draws no pictures");
    refuse(options.table && options.png, "--png", "--table, which draws no pictures");
    refuse(options.table && options.common.benchmark, "--benchmark", "--table, which measures nothing");
    refuse(options.table && options.shows_window(), "--table", "--window or --script");
    refuse(options.shows_window() && options.common.benchmark, "--benchmark", "--window or --script");
    refuse(options.shows_window() && options.common.json, "--json",
           "--window or --script, which report nothing");
    for (const char* option : {"--counters", "--trace"})
        refuse(options.shows_window() && line.given(option), option,
               "--window or --script, which report nothing");
    refuse(options.frames && !options.shows_window(), "--frames",
           "the lessons: it is for --window and --script");
    if (options.table || options.shows_window())
        for (const char* option : {"--kernel", "--size"})
            refuse(line.given(option), option, "--table, --window or --script: it is for the lessons");
    return options;
}

/// Shows the test card in the window, or runs its script headless.
ExitStatus show_window(const GpuBackend& gpu, const Device& device, const Options& options) {
    constexpr int card_texels = 64;
    const InterruptGuard guard;
    start_threads();
    const bool on_cpu = device.kind == DeviceKind::cpu;
    WindowSetup setup{.program = name,
                      .device = on_cpu ? "the CPU" : device.name,
                      .display = options.display.window ? Display::window : Display::headless,
                      .frames = options.frames,
                      .vsync = !options.display.no_vsync};
    if (options.display.script)
        setup.script = read_script(*options.display.script, setup.size.width, setup.size.height);
    std::optional<OutputFile> png;
    if (options.png) png.emplace(*options.png);
    const std::vector<Image> levels = mip_levels(test_card(card_texels));
    const auto renderer =
        on_cpu ? make_cpu_renderer(levels, setup.size) : gpu.make_renderer(levels, setup.size, device.index);
    const LastFrame last = run_window(setup, levels, *renderer);
    if (png) write_png(*png, last.rgba.data(), setup.size.width, setup.size.height);
    return ExitStatus::ok;
}

/// Prints the tables to stdout, unless --quiet is given or the JSON goes to stdout. The JSON has the same
/// data.
ExitStatus show_tables(const GpuBackend& gpu, const Device& device, const Options& options) {
    CommonOptions for_json = options.common;
    for_json.quiet = true;
    ReportOutput output(for_json);
    Report report(name, device, {});
    const bool on_cpu = device.kind == DeviceKind::cpu;
    const TableResult chapter = chapter_table(
        on_cpu ? Fetch(fetch_from_model) : [&](const auto&... what) { return gpu.fetch(device, what...); });
    const TableResult limits = limits_table(on_cpu ? std::nullopt : std::optional(gpu.limits(device)));
    for (const auto& [table, result] : {std::pair("chapter", &chapter), {"limits", &limits}})
        for (const Figures& row : result->rows) {
            // A driver may have limits that the guide does not list.
            const bool ok = row.find("ok")->value == Figure::Value(true);
            const bool is_limit = result == &limits;
            report.add({table, on_cpu ? "model" : "texture", "",
                        ok || !is_limit ? std::optional(ok) : std::nullopt, row});
        }
    if (!options.common.quiet && !options.common.json_on_stdout())
        std::fputs((chapter.text + '\n' + limits.text).c_str(), stdout);
    check_stdout();
    output.write(report);
    return report.exit_status();
}

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                               {"all", "all"}, options.common);
    if (!choice) return ExitStatus::ok;
    const auto& [device, kernels] = *choice;
    if (options.table) return show_tables(gpu, device, options);
    if (options.shows_window()) return show_window(gpu, device, options);
    const bool on_cpu = device.kind == DeviceKind::cpu;
    if (on_cpu && options.common.benchmark)
        throw MachineError("--benchmark: there is no texture unit to measure without a GPU; leave it out");
    if (options.png && kernels.size() == 1 && kernels.front().ask)
        throw UsageError(fmt::format("--png cannot be combined with --kernel {}, which draws no picture",
                                     kernels.front().name));
    if (on_cpu) note(options.common, name, "no texture unit was used: these are the pictures of its model");
    return run_lessons(gpu, device, kernels,
                       {.common = options.common, .size = options.size, .png = options.png});
}

}  // namespace

int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        return options ? run(gpu, *options) : ExitStatus::ok;
    });
}

}  // namespace cudabook::texture_unit
