// The program of a heat room: from the command line to the exit status.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/heat/benchmark.hpp"
#include "common/heat/demo.hpp"
#include "common/heat/options.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/memory.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "common/program/video_file.hpp"

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

/// The bytes of host memory that a run takes at most: the scene's two grids and the sources of now, on the
/// CPU four grids, three where another solver compares and two from where it does, in a window three frames
/// on the way there; the frame's pixels come on top.
inline std::size_t host_bytes(const Options& options, const Device& device, Display display) {
    const auto cells = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
    const std::size_t grids = 3U + (device.kind == DeviceKind::cpu ? 4U : 0U) +
                              (options.no_verify ? 0U : 5U) + (display == Display::window ? 3U : 0U);
    return cells * 4 * grids;
}

/// The room with the kernels of both devices.
inline Show show_of(const std::string& name, const GpuBackend& gpu, const Device& device, Display display,
                    const Options& options) {
    Show show{{name, gpu.kernels, {"blocked", gpu.fastest}, gpu.find_devices},
              device,
              display,
              {},
              [ceilings = Ceilings(gpu)](const Kernel& kernel, int index) mutable {
                  return ceilings.of(kernel, index);
              },
              {},
              {}};
    std::ranges::copy(cpu_kernels(), std::back_inserter(show.room.kernels));
    if (options.script) show.script = read_script(*options.script, options.width, options.height);
    if (gpu.make_device_frames && device.kind == DeviceKind::cuda)
        show.make_device_frames = [&gpu, &device](unsigned texture, int width, int height) {
            return gpu.make_device_frames(device.index, texture, width, height);
        };
    return show;
}

}  // namespace detail

/// Runs the room `name`; `what` is one line for --help.
inline int program(const std::string& name, const std::string& what, const GpuBackend& gpu, int argc,
                   const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(name, what, argc, argv);
        if (!options) return ExitStatus::ok;
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                                   {"blocked", gpu.fastest}, options->common);
        if (!choice) return ExitStatus::ok;
        const auto& [device, kernels] = *choice;
        const Display display = detail::choose_display(name, *options);
        Show show = detail::show_of(name, gpu, device, display, *options);

        const InterruptGuard guard;
        ReportOutput output(options->common);
        std::optional<OutputFile> png;
        if (options->png) png.emplace(*options->png);
        std::optional<VideoFile> video;
        if (options->video) {
            video.emplace(*options->video, options->width, options->height);
            show.video = [&video](const unsigned char* rgba) { video->add(rgba); };
        }
        if (!options->common.benchmark)
            require_memory(detail::host_bytes(*options, device, display),
                           fmt::format("a grid of {}x{} cells", options->width, options->height));

        Report report(name, device, options->parameters());
        if (options->common.benchmark) {
            benchmark(report, kernels, device, gpu, *options);
            output.write(report);
        } else {
            const Scene scene = book_scene(options->width, options->height);
            Verifier verifier(scene, *options);
            std::unique_ptr<Demo> demo;
            for (const Kernel& kernel : kernels) {
                demo.reset();  // before the next one asks for memory
                demo = std::make_unique<Demo>(show, kernel, scene, *options);
                demo->run();
                const bool was_interrupted = interrupted();
                clear_interrupt();  // a second Ctrl-C ends the comparison
                report.add(demo->result(options->no_verify ? nullptr : &verifier));
                if (was_interrupted) break;
            }
            output.write(report);
            if (png) write_png(*png, demo->pixels(), scene.width, scene.height);
            if (video) video->commit();
        }
        return report.exit_status();
    });
}

}  // namespace cudabook::heat
