// The program of a heat room: from the command line to the exit status.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/command_line.hpp"
#include "common/heat/benchmark.hpp"
#include "common/heat/demo.hpp"
#include "common/heat/options.hpp"
#include "common/interrupt.hpp"
#include "common/kernel_table.hpp"
#include "common/memory.hpp"

namespace cudabook::heat {

namespace detail {

inline Display choose_display(const std::string& room, const Options& options) {
    if (options.window) return Display::window;
    if (options.headless || options.common.benchmark || options.common.all_kernels())
        return Display::headless;
    std::string why;
    if (display_available(&why)) return Display::window;
    note(options.common, room, "headless, because " + why);
    return Display::headless;
}

/// The bytes of host memory that a run takes at most: on the CPU three grids, twice where another solver
/// compares, and the scene with its two; the frame's pixels come on top.
inline std::size_t host_bytes(const Options& options, const Device& device) {
    const auto cells = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
    const std::size_t solvers = (device.kind == DeviceKind::cpu ? 1U : 0U) + (options.no_verify ? 0U : 1U);
    return cells * 4 * (2 + 3 * solvers + 2);
}

}  // namespace detail

/// Runs the room `name`; `what` is one line for --help.
inline int program(const std::string& name, const std::string& what, const GpuSide& gpu, int argc,
                   const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(name, what, argc, argv);
        if (!options) return ExitStatus::ok;
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                                   {"blocked", gpu.fastest}, options->common);
        if (!choice) return ExitStatus::ok;
        const auto& [device, kernels] = *choice;
        const Display display = detail::choose_display(name, *options);

        const InterruptGuard guard;
        ReportOutput output(options->common);
        std::optional<OutputFile> png;
        if (options->png) png.emplace(*options->png);
        if (!options->common.benchmark)
            require_memory(detail::host_bytes(*options, device),
                           fmt::format("a grid of {}x{} cells", options->width, options->height));

        Report report(name, device, options->parameters());
        if (options->common.benchmark) {
            const double ceiling =
                device.kind == DeviceKind::cpu ? cpu_copy_gb_per_s() : gpu.copy_gb_per_s(device.index);
            benchmark(report, kernels, device, ceiling, *options);
            output.write(report);
        } else {
            const Scene scene = book_scene(options->width, options->height);
            Verifier verifier(scene, *options);
            std::unique_ptr<Demo> demo;
            for (const Kernel& kernel : kernels) {
                demo.reset();  // before the next one asks for memory
                demo = std::make_unique<Demo>(name, kernel, device, scene, *options, display);
                demo->run();
                const bool was_interrupted = interrupted();
                clear_interrupt();  // a second Ctrl-C ends the comparison
                report.add(demo->result(options->no_verify ? nullptr : &verifier));
                if (was_interrupted) break;
            }
            output.write(report);
            if (png) write_png(*png, demo->pixels(), scene.width, scene.height);
        }
        return report.exit_status();
    });
}

}  // namespace cudabook::heat
