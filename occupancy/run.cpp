#include "occupancy/run.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "common/numbers/crc32.hpp"
#include "common/picture/bitmap.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report_output.hpp"
#include "occupancy/picture/sweep_picture.hpp"
#include "occupancy/picture/timeline_picture.hpp"
#include "occupancy/sweep.hpp"

namespace cudabook::occupancy {

namespace {

constexpr double sweep_ms = 15'000;  ///< the time of each kernel in a benchmark

/// `all_ran`: all blocks of the kernel have run, and not only a part, for a prediction.
Result result_of(const Kernel& kernel, const Device& device, const Addition& addition, bool all_ran) {
    const std::string why = all_ran ? why_impossible(addition.warps, addition.bounds()) : "";
    Result result{kernel.name, kernel.memory, "", std::nullopt};
    if (all_ran) {
        const bool right = addition.sums == expected_sums(addition.vectors, addition.passes);
        result.checksum = hex(crc32(std::as_bytes(std::span(addition.sums))));
        result.verified = right && why.empty();
    }
    const Waves in_waves = waves(addition.blocks, addition.machine.capacity());
    Figures& figures = result.figures;
    figures["blocks"] = addition.blocks;
    figures["threads"] = addition.threads;
    figures["blocks_at_once"] = in_waves.capacity;
    figures["full_waves"] = in_waves.full;
    figures["tail_blocks"] = in_waves.tail;
    // The emulated GPU does not imitate times.
    if (device.kind != DeviceKind::emulated) {
        figures["block_us"] = addition.machine.full_us();
        figures["predicted_us"] = end_of(addition.predicted());
        figures["seen_us"] = end_of(addition.warps);
        figures["prediction_error_percent"] = addition.prediction_error_percent();
        figures["ms"] = addition.ms;
    }
    if (!why.empty()) figures["impossible"] = why;
    if (addition.occupancy) add_figures(figures, *addition.occupancy);
    return result;
}

void add_point_figures(Figures& figures, const Kernel& kernel, const Sweep& sweep, const Point& point,
                       double ceiling) {
    const bool is_bytes = kernel.unit == "gb_per_s";
    figures["blocks_per_multiprocessor"] = point.blocks;
    figures["warps_per_multiprocessor"] = point.warps;
    figures["occupancy_percent"] = point.percent;
    if (is_bytes) figures["bytes_under_way"] = bytes_under_way(sweep, point);
    add_figures(figures, point.time);
    figures[kernel.unit] = rate_of(point, is_bytes);
    if (ceiling > 0) figures["percent_of_ceiling"] = 100 * rate_of(point, is_bytes) / ceiling;
    figures["bend"] = &point == &bend_of(sweep);
}

/// Adds a result for each number of loads or chains in flight or, in a benchmark, for each point.
void add_results(Report& report, const Kernel& kernel, const std::vector<Sweep>& sweeps,
                 const CommonOptions& options, double ceiling) {
    const bool benchmark = options.benchmark;
    for (const Sweep& sweep : sweeps) {
        Result result{kernel.name, kernel.memory, "", std::nullopt};
        if (!options.runs_some_blocks()) {
            result.checksum = hex(sweep.checksum);
            result.verified = sweep.right;
        }
        result.figures["under_way"] = sweep.under_way;
        if (!benchmark) {
            report.add(result);
            continue;
        }
        for (const Point& point : sweep.points) {
            Result at = result;
            add_point_figures(at.figures, kernel, sweep, point, ceiling);
            report.add(std::move(at));
        }
    }
}

}  // namespace

ExitStatus run_kernels(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                       const RunOptions& options) {
    const bool benchmark = options.common.benchmark;
    ReportOutput output(options.common);
    std::optional<OutputFile> png;
    if (options.png) png.emplace(*options.png);
    const InterruptGuard guard;

    Report report("occupancy", device,
                  {{"passes", options.request.passes ? Figure(*options.request.passes) : Figure()},
                   {"shared_bytes", options.request.shared_bytes}});
    std::vector<AdditionPicture> additions;
    std::vector<SweepPicture> sweeps;
    for (const Kernel& kernel : kernels) {
        if (interrupted() && &kernel != &kernels.front()) break;
        if (kernel.add) {
            const Addition addition = kernel.add(device, options.request);
            report.add(result_of(kernel, device, addition, !options.common.runs_some_blocks()));
            additions.push_back({.title = kernel.name,
                                 .predicted = addition.predicted(),
                                 .seen = addition.warps,
                                 .warps_of_block = addition.warps_of_block,
                                 .machine = addition.machine,
                                 .full_percent = addition.occupancy ? addition.occupancy->percent : 100,
                                 .units = is_gpu(device.kind) ? "multiprocessors" : "threads",
                                 .comparable = device.kind != DeviceKind::emulated});
            continue;
        }
        double ceiling = 0;
        if (benchmark) {
            const bool is_bytes = kernel.unit == "gb_per_s";
            ceiling = is_bytes ? gpu.copy_gb_per_s(device.index) : gpu.fma_tflops(device);
            report.add_ceiling(is_bytes ? "copy_gb_per_s" : "fma_tflops", ceiling);
        }
        const std::vector<Sweep> found =
            kernel.sweep(device, benchmark ? std::optional(TimeBudget(sweep_ms)) : std::nullopt);
        add_results(report, kernel, found, options.common, ceiling);
        sweeps.push_back({.title = kernel.name, .sweeps = found});
    }
    if (png) write_png(*png, benchmark && !sweeps.empty() ? picture_of(sweeps) : picture_of(additions));
    output.write(report);
    return report.exit_status();
}

}  // namespace cudabook::occupancy
