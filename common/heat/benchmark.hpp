// --benchmark of the heat rooms: each kernel checked, then timed, beside what limits it.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/heat/ceiling.hpp"
#include "common/heat/demo.hpp"
#include "common/report.hpp"
#include "common/window.hpp"

namespace cudabook::heat {

/// What a frame takes until it is drawn in a window, in ms, with the way of the frame through the host and
/// without, where OpenGL and the device can share memory.
inline void add_shown_frames(Json& figures, Solver& solver, int steps, std::vector<unsigned char>& pixels,
                             Window& window, DeviceFrames* frames) {
    const auto draw = [&window] { window.draw({}, false, false); };
    figures["ms_per_frame_shown_by_copy"] = measure([&] {
                                                return wall_ms([&] {
                                                    solver.frame(steps, {pixels.data()});
                                                    window.upload(pixels.data());
                                                    draw();
                                                });
                                            }).median;
    if (frames == nullptr) return;
    figures["ms_per_frame_shown_by_interop"] =
        measure([&] {
            return wall_ms([&] {
                solver.frame(steps, {frames->memory(0), DeviceKind::cuda});
                frames->show(0);
                draw();
            });
        }).median;
}

/// Measures the kernels at one size. Of `ms` for the steps of a frame and of `ms_per_frame`, which also draws
/// the frame and brings it to the host, the medians are given; where there is a display, also of the frames
/// of a GPU's default kernel until they are drawn in a window, which nobody sees.
inline void benchmark_size(Report& report, const std::vector<Kernel>& kernels, const Device& device,
                           const Options& options, const GpuSide& gpu, Ceilings& ceilings) {
    Progress progress(fmt::format("measuring {}x{}", options.width, options.height), !options.common.quiet);
    double measured = 0;
    const Scene scene = book_scene(options.width, options.height);
    Verifier verifier(scene, options);
    std::vector<unsigned char> pixels(4 * scene.cells());
    std::optional<Window> window;
    std::unique_ptr<DeviceFrames> frames;
    if (device.kind == DeviceKind::cuda) {
        try {
            window.emplace(Size{options.width, options.height});
            window->set_vsync(false);
            if (gpu.make_device_frames)
                frames =
                    gpu.make_device_frames(device.index, window->texture(), options.width, options.height);
        } catch (const MachineError&) {  // no display, or none that shares memory with the device
        }
    }
    for (const Kernel& kernel : kernels) {
        progress.at(measured++ / static_cast<double>(kernels.size()));
        std::vector<Launch> launches{Launch::graph};
        if (kernel.device == DeviceKind::cuda) launches.insert(launches.begin(), Launch::as_in_text);
        for (const Launch launch : launches) {
            if (interrupted()) return;
            const auto solver = kernel.make(scene, {options.speed, device.index, launch});
            const int steps = options.steps_per_frame;
            solver->advance(steps);
            const std::uint32_t sum = checksum(solver->temperatures());
            Result result{kernel.name, kernel.memory, hex(sum), std::nullopt, {}};
            if (const auto expected = options.no_verify ? std::nullopt : verifier.expected(kernel, 1))
                result.verified = *expected == sum;

            const Measurement time = measure([&] { return solver->advance(steps); });
            const Measurement frame = measure([&] { return solver->frame(steps, {pixels.data()}); });
            if (interrupted()) return;
            const double gcells = gcells_per_s(scene, steps, time.median);
            result.figures["width"] = scene.width;
            result.figures["height"] = scene.height;
            if (kernel.device == DeviceKind::cuda)
                result.figures["launch"] = launch == Launch::graph ? "graph" : "as in the text";
            add_figures(result.figures, time);
            result.figures["ms_per_frame"] = frame.median;
            result.figures["gcells_per_s"] = gcells;
            const Ceiling ceiling = ceilings.of(kernel, device.index);
            result.figures["percent_of_ceiling"] = 100 * gcells / ceiling.gcells_per_s;
            result.figures["ceiling"] = ceiling.name;
            if (window && launch == Launch::graph && kernel.name == gpu.fastest)
                add_shown_frames(result.figures, *solver, steps, pixels, *window, frames.get());
            if (const auto occupancy = solver->occupancy()) add_figures(result.figures, *occupancy);
            report.add(std::move(result));
        }
    }
}

/// The sizes of the lecture page, unless the command line names one.
inline void benchmark(Report& report, const std::vector<Kernel>& kernels, const Device& device,
                      const GpuSide& gpu, const Options& options) {
    Ceilings ceilings(gpu);
    report.add_ceiling("copy_gb_per_s", ceilings.copy_gb_per_s(device.kind, device.index));
    if (device.kind == DeviceKind::cuda)
        report.add_ceiling("step_arithmetic_gcells_per_s",
                           ceilings.step_arithmetic_gcells_per_s(device.index));
    if (options.size_given) return benchmark_size(report, kernels, device, options, gpu, ceilings);
    const std::vector<int> sides = device.kind == DeviceKind::cuda
                                       ? std::vector{256, 512, 1024, 2048, 4096, 8192}
                                       : std::vector{1024, 4096, 8192};
    for (const int side : sides) {
        Options sized = options;
        sized.width = sized.height = side;
        benchmark_size(report, kernels, device, sized, gpu, ceilings);
    }
}

}  // namespace cudabook::heat
