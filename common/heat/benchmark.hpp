// --benchmark of the heat rooms: each kernel checked, then timed, beside the bandwidth of a copy.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/heat/demo.hpp"
#include "common/report.hpp"

namespace cudabook::heat {

/// The bandwidth of a copy by all of the CPU's cores in GB/s, bytes read and bytes written both counted; 128
/// MiB, so often after once to warm up, the median.
inline double cpu_copy_gb_per_s(int repetitions = 15) {
    constexpr std::size_t chunk = std::size_t{1} << 20U;
    constexpr int chunks = 128;
    const std::vector<char> from(chunk * chunks, 1);
    std::vector<char> to(chunk * chunks, 2);
    const auto copy = [&] {
#pragma omp parallel for
        for (int i = 0; i < chunks; ++i)
            std::copy_n(from.data() + static_cast<std::size_t>(i) * chunk, chunk,
                        to.data() + static_cast<std::size_t>(i) * chunk);
    };
    copy();
    std::vector<double> ms;
    for (int i = 0; i < repetitions; ++i) ms.push_back(wall_ms(copy));
    return 2 * static_cast<double>(from.size()) / summarise(std::move(ms)).median / 1e6;
}

/// Measures the kernels at one size. Of `ms` for the steps of a frame and of `ms_per_frame`, which also draws
/// the frame and brings it to the host, the medians are given. A kernel that reads each cell once and writes
/// it once in a step moves 8 bytes a cell: percent_of_ceiling is the share of the copy's bandwidth that this
/// makes.
inline void benchmark_size(Report& report, const std::vector<Kernel>& kernels, const Device& device,
                           const Options& options, double ceiling_gb_per_s) {
    Progress progress(fmt::format("measuring {}x{}", options.width, options.height), !options.common.quiet);
    double measured = 0;
    const Scene scene = book_scene(options.width, options.height);
    Verifier verifier(scene, options);
    std::vector<unsigned char> pixels(4 * scene.cells());
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
            result.figures["percent_of_ceiling"] = 100 * 8 * gcells / ceiling_gb_per_s;
            if (const auto occupancy = solver->occupancy()) add_figures(result.figures, *occupancy);
            report.add(std::move(result));
        }
    }
}

/// The sizes of the lecture page, unless the command line names one.
inline void benchmark(Report& report, const std::vector<Kernel>& kernels, const Device& device,
                      double ceiling_gb_per_s, const Options& options) {
    report.add_ceiling("copy_gb_per_s", ceiling_gb_per_s);
    if (options.size_given) return benchmark_size(report, kernels, device, options, ceiling_gb_per_s);
    for (const int side : {1024, 4096, 8192}) {
        Options sized = options;
        sized.width = sized.height = side;
        benchmark_size(report, kernels, device, sized, ceiling_gb_per_s);
    }
}

}  // namespace cudabook::heat
