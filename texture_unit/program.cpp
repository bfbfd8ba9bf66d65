#include "texture_unit/program.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/command_line.hpp"
#include "common/program/display_options.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "common/program/threads.hpp"
#include "common/window/input_script.hpp"
#include "texture_unit/benchmark.hpp"
#include "texture_unit/comparison.hpp"
#include "texture_unit/demo/demo.hpp"
#include "texture_unit/demo/keys.hpp"
#include "texture_unit/lesson_picture.hpp"
#include "texture_unit/test_card.hpp"

namespace cudabook::texture_unit {

namespace {

constexpr const char* name = "texture_unit";

struct Options {
    CommonOptions common;
    int size = default_size;
    std::optional<std::string> png;
    DisplayOptions display;
    std::optional<int> frames;

    /// Whether the window is wanted, or its script without one, instead of the lessons.
    [[nodiscard]] bool shows_window() const { return display.window || display.script; }
};

/// Nothing: --help or --version was asked for, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    constexpr int largest = 8192;
    Options options;
    CommandLine line(name, "Shows what the texture unit does beside reading memory, a lesson a kernel");
    CLI::App& app = line.app();
    app.add_option("--size", options.size, "Side of the pictures in pixels")
        ->check(in_range(1, largest))
        ->capture_default_str();
    app.add_option("--png", options.png, "Write the lesson's picture, or with all kernels a sheet of all")
        ->type_name("FILE");
    add_display_options(app, options.display, "Show the test card in a window, instead of the lessons");
    app.add_option("--frames", options.frames,
                   "Frames to show (default: unlimited in a window; headless until the script ends)")
        ->check(in_range(0, std::numeric_limits<int>::max()));
    app.footer(window_keys_for_help());
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    if (options.common.benchmark && options.png)
        throw UsageError("--png cannot be combined with --benchmark, which draws no pictures");
    return options;
}

/// The test card in the window, or what its script makes of it headless.
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

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                               {"all", "all"}, options.common);
    if (!choice) return ExitStatus::ok;
    const auto& [device, kernels] = *choice;
    if (options.shows_window()) return show_window(gpu, device, options);
    const bool on_cpu = device.kind == DeviceKind::cpu;
    if (on_cpu && options.common.benchmark)
        throw MachineError("--benchmark: there is no texture unit to measure without a GPU; leave it out");
    if (on_cpu) note(options.common, name, "no texture unit was used: these are the pictures of its model");

    const InterruptGuard guard;
    start_threads();
    ReportOutput output(options.common);
    std::optional<OutputFile> png;
    if (options.png) png.emplace(*options.png);
    Report report(name, device, {{"size", options.size}});
    Progress progress(name, !options.common.quiet);
    References references(options.size);
    const double share = options.common.benchmark ? 0.1 : 1;
    double done = 0;
    std::vector<Panel> panels;
    Image picture;
    for (const Kernel& kernel : kernels) {
        Compared compared = compare(kernel, device, references);
        report.add(std::move(compared.result));
        if (png && kernels.size() == 1) picture = lesson_picture(kernel, compared.image, references);
        if (png && kernels.size() > 1 && kernel.name == kernel.lesson)
            panels.push_back(lesson_panel(kernel, compared.image, references));
        progress.at(share * ++done / static_cast<double>(kernels.size()));
        if (interrupted()) break;
    }
    if (options.common.benchmark) benchmark(report, gpu, device, kernels, progress.part(share, 1));
    output.write(report);
    if (png) {
        if (kernels.size() > 1) picture = contact_sheet(panels);
        write_png(*png, rgba(picture).data(), picture.width, picture.height);
    }
    return report.exit_status();
}

}  // namespace

int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        return options ? run(gpu, *options) : ExitStatus::ok;
    });
}

}  // namespace cudabook::texture_unit
