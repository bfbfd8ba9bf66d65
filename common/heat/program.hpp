// The program of a heat room: from the command line to the exit status.
#pragma once

#include <algorithm>
#include <iterator>
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
#include "common/memory.hpp"

namespace cudabook::heat {

namespace detail {

/// The kernels that --kernel means on the device, of `all` the room's. Errors: UsageError, MachineError.
inline std::vector<Kernel> choose_kernels(const std::vector<Kernel>& all, const GpuSide& gpu,
                                          const Options& options, const Device& device) {
    const std::string fastest = device.kind == DeviceKind::cpu ? "blocked" : gpu.fastest;
    const bool every =
        options.common.all_kernels() || (options.common.benchmark && options.common.kernel.empty());
    const std::string& wanted = options.common.kernel.empty() ? fastest : options.common.kernel;
    std::vector<Kernel> chosen;
    std::ranges::copy_if(all, std::back_inserter(chosen), [&](const Kernel& kernel) {
        return kernel.device == device.kind && (every || kernel.name == wanted);
    });
    if (!chosen.empty()) return chosen;
    if (std::ranges::find(all, wanted, &Kernel::name) == all.end()) {
        std::string names;
        for (const Kernel& kernel : all) names += (names.empty() ? "" : ", ") + kernel.name;
        throw UsageError(fmt::format("--kernel '{}': use all, {}", wanted, names));
    }
    if (device.kind == DeviceKind::cuda || options.common.device.kind)
        throw UsageError(fmt::format("--kernel '{}' does not run on --device {}; see --list-kernels", wanted,
                                     name_of(device.kind)));
    throw MachineError(fmt::format("--kernel '{}' needs a GPU: {}; leave it out to run on the CPU", wanted,
                                   gpu.devices.why_none));
}

inline bool names_cpu_kernel(const std::vector<Kernel>& all, const Options& options) {
    return std::ranges::any_of(all, [&](const Kernel& kernel) {
        return kernel.device == DeviceKind::cpu && kernel.name == options.common.kernel;
    });
}

/// The device that is asked for; where a kernel of the CPU is named and no device, the CPU.
inline Device choose_device_for(const std::vector<Kernel>& all, const GpuSide& gpu, const Options& options) {
    if (!options.common.device.kind && names_cpu_kernel(all, options)) return cpu_device();
    return choose_device(options.common.device, gpu.devices);
}

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
        std::vector<Kernel> all = gpu.kernels;
        std::ranges::copy(cpu_kernels(), std::back_inserter(all));
        if (options->common.list_kernels) {
            for (const Kernel& kernel : all)
                fmt::print("{:<10} {:<5} {:<10} {}\n", kernel.name, name_of(kernel.device), kernel.memory,
                           kernel.what);
            return ExitStatus::ok;
        }

        const Device device = detail::choose_device_for(all, gpu, *options);
        const std::vector<Kernel> kernels = detail::choose_kernels(all, gpu, *options, device);
        const bool no_gpu = !options->common.device.kind && gpu.devices.usable.empty();
        if (no_gpu && !detail::names_cpu_kernel(all, *options))
            note(options->common, name, "on the CPU, because " + gpu.devices.why_none);
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
