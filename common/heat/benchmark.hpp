// --benchmark of the heat rooms: each kernel checked, then timed, beside what limits it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/heat/ceiling.hpp"
#include "common/heat/demo.hpp"
#include "common/program/report.hpp"
#include "common/window/window.hpp"

namespace cudabook::heat {

/// What a frame takes until it is drawn in a window, in ms, with the way of the frame through the host and
/// without, where OpenGL and the device can share memory.
inline void add_shown_frames(Figures& figures, Solver& solver, int steps, std::vector<unsigned char>& pixels,
                             Window& window, DeviceFrames* frames, const TimeBudget& budget) {
    const auto draw = [&window] { window.draw({}, false, false); };
    const auto median_ms = [](const auto& work, const TimeBudget& share) {
        return measure([&] { return wall_ms(work); }, share).median;
    };
    figures["ms_per_frame_shown_by_copy"] = median_ms(
        [&] {
            solver.frame(steps, {pixels.data()});
            window.upload(pixels.data());
            draw();
        },
        budget.share(2));
    if (frames == nullptr) return;
    figures["ms_per_frame_shown_by_interop"] = median_ms(
        [&] {
            solver.frame(steps, {frames->memory(0), DeviceKind::cuda});
            frames->show(0);
            draw();
        },
        budget.share(1));
}

/// The kernels' pace at the size before, in ms per cell of a frame; by kernel and launch.
using Paces = std::map<std::pair<std::string, Launch>, double>;

/// Measures the kernels at one size within the budget; those that are too slow for it are left out, unless
/// the size is named. Of `ms` for the steps of a frame and of `ms_per_frame`, which also draws the frame and
/// brings it to the host, the medians are given; where there is a display, also of the frames of a GPU's
/// default kernel until they are drawn in a window, which nobody sees.
inline void benchmark_size(Report& report, const std::vector<Kernel>& kernels, const Device& device,
                           const Options& options, const GpuBackend& gpu, Ceilings& ceilings,
                           const TimeBudget& budget, Paces& paces) {
    Progress progress(fmt::format("measuring {}x{}", options.width, options.height), !options.common.quiet);
    const Scene scene = book_scene(options.width, options.height);
    Verifier verifier(scene, options);
    std::vector<unsigned char> pixels(4 * scene.cells());
    std::unique_ptr<Window> window;
    std::unique_ptr<DeviceFrames> frames;
    if (device.kind == DeviceKind::cuda) {
        try {
            window = open_window({options.width, options.height});
            window->set_vsync(false);
            if (gpu.make_device_frames)
                frames =
                    gpu.make_device_frames(device.index, window->texture(), options.width, options.height);
        } catch (const MachineError&) {  // no display, or none that shares memory with the device
        }
    }
    const auto launches_of = [](const Kernel& kernel) {
        if (kernel.device == DeviceKind::cpu) return std::vector{Launch::graph};
        return std::vector{Launch::as_in_text, Launch::graph};
    };
    std::vector<double> frame_ms;  // of all rows, as far as is known
    for (const Kernel& kernel : kernels)
        for (const Launch launch : launches_of(kernel))
            frame_ms.push_back(paces[{kernel.name, launch}] * static_cast<double>(scene.cells()));
    // To be checked, by another kernel and by itself; to be timed, without the frame and with it.
    const std::vector<bool> fits = quickest_within(budget.left_ms() / 4, frame_ms);
    std::size_t begun = 0;
    for (const Kernel& kernel : kernels) {
        for (const Launch launch : launches_of(kernel)) {
            if (interrupted()) return;
            const std::size_t row = begun++;
            const auto share = [&](double of_row) {
                return (static_cast<double>(row) + of_row) / static_cast<double>(frame_ms.size());
            };
            progress.at(share(0));
            Result result{kernel.name, kernel.memory, "", std::nullopt, {}};
            result.figures["width"] = scene.width;
            result.figures["height"] = scene.height;
            if (kernel.device == DeviceKind::cuda)
                result.figures["launch"] = launch == Launch::graph ? "graph" : "as in the text";
            if (!options.size_given && (!fits[row] || budget.left_ms() == 0)) {
                result.figures["left_out"] =
                    fits[row] ? "no time was left for it"
                              : fmt::format("a frame would take {:.1f} s", frame_ms[row] / 1000);
                report.add(std::move(result));
                continue;
            }
            const TimeBudget of_row = budget.share(frame_ms.size() - row);
            const auto solver = kernel.make(scene, {options.speed, device.index, launch});
            const int steps = options.steps_per_frame;
            solver->advance(steps);
            const std::uint32_t sum = checksum(solver->temperatures());
            result.checksum = hex(sum);
            if (const auto expected = options.no_verify ? std::nullopt : verifier.expected(kernel, 1))
                result.verified = *expected == sum;

            const Measurement time = measure([&] { return solver->advance(steps); }, of_row.share(2),
                                             progress.part(share(0.2), share(0.6)));
            const Measurement frame = measure([&] { return solver->frame(steps, {pixels.data()}); },
                                              of_row.share(1), progress.part(share(0.6), share(1)));
            if (interrupted()) return;
            paces[{kernel.name, launch}] = frame.median / static_cast<double>(scene.cells());
            const double gcells = gcells_per_s(scene, steps, time.median);
            add_figures(result.figures, time);
            result.figures["ms_per_frame"] = frame.median;
            result.figures["gcells_per_s"] = gcells;
            const Ceiling ceiling = ceilings.of(kernel, device.index);
            result.figures["percent_of_ceiling"] = 100 * gcells / ceiling.gcells_per_s;
            result.figures["ceiling"] = ceiling.name;
            if (window && launch == Launch::graph && kernel.name == gpu.fastest)
                add_shown_frames(result.figures, *solver, steps, pixels, *window, frames.get(),
                                 budget.share(frame_ms.size() - row));
            if (const auto occupancy = solver->occupancy()) add_figures(result.figures, *occupancy);
            report.add(std::move(result));
        }
    }
}

/// The sizes of the lecture page, unless the command line names one.
inline void benchmark(Report& report, const std::vector<Kernel>& kernels, const Device& device,
                      const GpuBackend& gpu, const Options& options) {
    Ceilings ceilings(gpu);
    report.add_ceiling("copy_gb_per_s", ceilings.copy_gb_per_s(device.kind, device.index));
    if (device.kind == DeviceKind::cuda)
        report.add_ceiling("step_arithmetic_gcells_per_s",
                           ceilings.step_arithmetic_gcells_per_s(device.index));
    const TimeBudget budget(benchmark_ms);
    Paces paces;
    if (options.size_given)
        return benchmark_size(report, kernels, device, options, gpu, ceilings, budget, paces);
    const std::vector<int> sides = device.kind == DeviceKind::cuda
                                       ? std::vector{256, 512, 1024, 2048, 4096, 8192}
                                       : std::vector{1024, 4096, 8192};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        Options sized = options;
        sized.width = sized.height = sides[i];
        benchmark_size(report, kernels, device, sized, gpu, ceilings, budget.share(sides.size() - i), paces);
    }
}

}  // namespace cudabook::heat
