#include "heat_notexture/program.hpp"

#include <memory>
#include <optional>
#include <vector>

#include "common/program/errors.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "common/program/video_file.hpp"
#include "common/window/animation.hpp"
#include "common/window/display_options.hpp"
#include "common/window/input_script.hpp"
#include "heat_notexture/benchmark.hpp"
#include "heat_notexture/ceiling.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/demo/demo.hpp"
#include "heat_notexture/memory_needed.hpp"
#include "heat_notexture/options.hpp"
#include "heat_notexture/parts/run_in_parts.hpp"
#include "heat_notexture/parts/workers/processes.hpp"
#include "heat_notexture/scene.hpp"
#include "heat_notexture/verifier.hpp"

namespace cudabook::heat {

namespace {

DemoSetup setup_of(const std::string& name, const GpuBackend& gpu, const Device& device, Display display,
                   const Options& options) {
    DemoSetup setup{
        .sample = {.name = name,
                   .kernels = with_cpu_kernels(gpu.kernels),
                   .defaults = {"blocked", gpu.fastest},
                   .find_devices = gpu.find_devices},
        .device = device,
        .display = display,
        .script = {},
        .ceiling = [ceilings = Ceilings(gpu)](const Kernel& kernel,
                                              int index) mutable { return ceilings.measured(kernel, index); },
        .make_device_frames = {},
        .video = {}};
    if (options.display.script)
        setup.script = read_script(*options.display.script, options.width, options.height);
    if (gpu.make_device_frames && device.kind == DeviceKind::cuda)
        setup.make_device_frames = [&gpu, &device](unsigned texture, int width, int height) {
            return gpu.make_device_frames(device.index, texture, width, height);
        };
    return setup;
}

/// Runs the demo of each kernel in turn, until an interrupt. Returns the last demo, which has the last frame.
std::unique_ptr<Demo> run_demos(Report& report, const DemoSetup& setup, const std::vector<Kernel>& kernels,
                                const Scene& scene, const Options& options) {
    Verifier verifier(scene, options);
    std::unique_ptr<Demo> demo;
    for (const Kernel& kernel : kernels) {
        demo.reset();  // before the next demo asks for memory
        demo = std::make_unique<Demo>(setup, kernel, scene, options);
        demo->run();
        report.add(demo->result(options.no_verify ? nullptr : &verifier));
        if (interrupted()) break;
    }
    return demo;
}

/// Runs the demos and writes their report, picture and video. All files are opened before the work.
ExitStatus show(const std::string& name, const GpuBackend& gpu, const Device& device,
                const std::vector<Kernel>& kernels, const Options& options) {
    const Display display = choose_display(name, options.display, options.common);
    DemoSetup setup = setup_of(name, gpu, device, display, options);
    const InterruptGuard guard;
    ReportOutput output(options.common);
    std::optional<OutputFile> png;
    if (options.png) png.emplace(*options.png);
    std::optional<VideoFile> video;
    if (options.video) {
        video.emplace(*options.video, options.width, options.height);
        setup.video = [&video](const unsigned char* rgba) { video->add(rgba); };
    }
    require_memory_for(options, device.kind, display);

    Report report(name, device, options.parameters());
    const Scene scene = book_scene(options.width, options.height);
    const auto last = run_demos(report, setup, kernels, scene, options);
    output.write(report);
    if (png) write_png(*png, last->pixels(), scene.width, scene.height);
    if (video) video->commit();
    return report.exit_status();
}

ExitStatus run_benchmark(const std::string& name, const GpuBackend& gpu, const Device& device,
                         const std::vector<Kernel>& kernels, const Options& options) {
    const InterruptGuard guard;
    ReportOutput output(options.common);
    Report report(name, device, options.parameters());
    benchmark(report, kernels, device, gpu, options);
    output.write(report);
    return report.exit_status();
}

}  // namespace

int program(const std::string& name, const std::string& what, const GpuBackend& gpu, int argc,
            const char* const* argv) {
    return run_program(name, [&] {
        std::optional<Options> options;
        try {
            options = parse_options(name, what, argc, argv);
        } catch (const UsageError& error) {
            if (!started_by_mpi()) throw;
            return run_on_processes(name, [&](Worker& worker) -> ExitStatus {
                collectively(worker, [&] { throw UsageError(error); });
                return ExitStatus::usage;
            });
        }
        if (!options) return ExitStatus::ok;
        if (is_in_parts(*options) && !options->common.only_lists()) return run_in_parts(name, gpu, *options);
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                                   {"blocked", gpu.fastest}, options->common);
        if (!choice) return ExitStatus::ok;
        const auto run = options->common.benchmark ? run_benchmark : show;
        return run(name, gpu, choice->device, choice->kernels, *options);
    });
}

}  // namespace cudabook::heat
