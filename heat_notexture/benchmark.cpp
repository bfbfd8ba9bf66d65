#include "heat_notexture/benchmark.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/errors.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/measurement.hpp"
#include "common/program/progress.hpp"
#include "heat_notexture/ceiling.hpp"
#include "heat_notexture/demo/frame_times.hpp"
#include "heat_notexture/demo/hidden_window.hpp"
#include "heat_notexture/gpu_solver.hpp"
#include "heat_notexture/memory_needed.hpp"
#include "heat_notexture/scene.hpp"
#include "heat_notexture/verifier.hpp"

namespace cudabook::heat {

namespace {

/// A kernel and a launch mode: one row of the results of a size.
struct Row {
    const Kernel& kernel;
    Launch launch;
    double expected_ms_per_frame;  ///< estimated from the previous size; 0 if unknown
    bool fits;                     ///< whether the row fits into the time limit
};

/// The times of the rows at the previous size, in ms per cell of a frame.
using Paces = std::map<std::pair<std::string, Launch>, double>;

std::vector<Launch> launches_of(const Kernel& kernel) {
    if (kernel.device == DeviceKind::cpu || kernel.for_comparison) return {Launch::graph};
    return {Launch::as_in_text, Launch::graph};
}

std::vector<Row> rows_of(const std::vector<Kernel>& kernels, Paces& paces, const Scene& scene,
                         const TimeBudget& budget) {
    std::vector<Row> rows;
    std::vector<double> frame_ms;
    for (const Kernel& kernel : kernels)
        for (const Launch launch : launches_of(kernel)) {
            frame_ms.push_back(paces[{kernel.name, launch}] * static_cast<double>(scene.cells()));
            rows.push_back({kernel, launch, frame_ms.back(), true});
        }
    // A row needs at least four frames: one for the expected result, one to compare with this result, and
    // one timed frame each without and with the picture. So a frame may take a quarter of the time. The
    // default kernel needs a few frames more.
    const std::vector<bool> fits = quickest_within(budget.left_ms() / 4, frame_ms);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].fits = fits[i];
    return rows;
}

Result named_result(const Kernel& kernel, Launch launch, const Options& options) {
    Result result{kernel.name, kernel.memory, "", std::nullopt, {}};
    result.figures["width"] = options.width;
    result.figures["height"] = options.height;
    if (is_gpu(kernel.device))
        result.figures["launch"] = launch == Launch::graph ? "graph" : "as in the text";
    return result;
}

/// Adds a result for each row of a size; the result says why the row was left out.
void leave_out(Report& report, const std::vector<Kernel>& kernels, const Options& options,
               const std::string& why) {
    for (const Kernel& kernel : kernels)
        for (const Launch launch : launches_of(kernel)) {
            Result result = named_result(kernel, launch, options);
            result.figures["left_out"] = why;
            report.add(std::move(result));
        }
}

std::vector<int> benchmark_sides(DeviceKind device) {
    switch (device) {
        case DeviceKind::cuda:
            return {256, 512, 1024, 2048, 4096, 8192};
        case DeviceKind::emulated:
            return {64, 128, 256, 512};
        default:
            return {1024, 4096, 8192};
    }
}

/// Measures all rows at one size of the grid.
class SizeBenchmark {
  public:
    SizeBenchmark(const std::vector<Kernel>& kernels, const Device& device, const GpuBackend& gpu,
                  const Options& options, Ceilings& ceilings, const TimeBudget& budget, Paces& paces)
        : device_(device),
          gpu_(gpu),
          options_(options),
          ceilings_(ceilings),
          budget_(budget),
          paces_(paces),
          scene_(book_scene(options.width, options.height)),
          verifier_(scene_, options),
          pixels_(4 * scene_.cells()),
          progress_(fmt::format("measuring {}x{}", options.width, options.height), !options.common.quiet),
          window_(HiddenWindow::open(device, gpu, options.width, options.height)),
          rows_(rows_of(kernels, paces, scene_, budget)) {}

    /// Runs until all rows are measured or an interrupt comes.
    void run(Report& report) {
        for (std::size_t i = 0; i < rows_.size() && !interrupted(); ++i) {
            progress_.at(share_done(i, 0));
            Result result = named_result(rows_[i].kernel, rows_[i].launch, options_);
            const std::string why = why_left_out(rows_[i]);
            if (!why.empty())
                result.figures["left_out"] = why;
            else if (!measure_row(i, result))
                return;
            report.add(std::move(result));
        }
    }

  private:
    /// Returns why a row is left out. An empty string means that the row is measured.
    [[nodiscard]] std::string why_left_out(const Row& row) const {
        if (options_.size_given()) return {};
        if (!row.fits) return fmt::format("a frame would take {:.1f} s", row.expected_ms_per_frame / 1000);
        return budget_.left_ms() == 0 ? "no time was left for it" : "";
    }

    /// Returns false if an interrupt came before the measurement ended.
    bool measure_row(std::size_t i, Result& result) {
        const Kernel& kernel = rows_[i].kernel;
        const Launch launch = rows_[i].launch;
        const TimeBudget budget = budget_.share(rows_.size() - i);
        const auto solver =
            kernel.make(scene_, {.speed = options_.speed, .device = device_.index, .launch = launch});
        check(*solver, kernel, result);

        const int steps = options_.steps_per_frame;
        const Measurement time = measure([&] { return solver->advance(steps); }, budget.share(2),
                                         progress_.part(share_done(i, 0.2), share_done(i, 0.6)));
        const Measurement frame =
            measure([&] { return solver->frame(steps, {pixels_.data()}); }, budget.share(1),
                    progress_.part(share_done(i, 0.6), share_done(i, 1)));
        if (interrupted()) return false;
        paces_[{kernel.name, launch}] = frame.median / static_cast<double>(scene_.cells());

        add_figures(result.figures, time);
        result.figures["ms_per_frame"] = frame.median;
        add_speed(kernel, time.median, result);
        const bool is_default = launch == Launch::graph && kernel.name == gpu_.fastest;
        auto* const on_gpu = dynamic_cast<GpuSolver*>(solver.get());
        if (is_default && on_gpu != nullptr) add_steady_run(*on_gpu, frame.median, result);
        if (window_ && is_default)
            window_->add_figures(result.figures, *solver, steps, pixels_, budget_.share(rows_.size() - i));
        if (const auto occupancy = solver->occupancy()) cudabook::add_figures(result.figures, *occupancy);
        return true;
    }

    /// Adds the times of frames whose pictures are copied to the host in succession, and of the copy of a
    /// picture alone. Adds nothing if only one picture fits into memory.
    void add_steady_run(GpuSolver& solver, double frame_ms, Result& result) {
        const int frames = frame_ms < 5 ? 20 : std::max(2, static_cast<int>(100 / frame_ms));
        const auto begin = [&](int i) {
            solver.begin_frame(options_.steps_per_frame, {(i % 2 == 0 ? pixels_ : others_).data()});
        };
        const auto steady_run = [&] {
            begin(0);
            begin(1);
            solver.end_frame();
            const double ms = wall_ms([&] {
                for (int i = 2; i < frames + 2; ++i) {
                    begin(i);
                    solver.end_frame();
                }
            });
            solver.end_frame();
            return ms / frames;
        };
        try {
            others_.resize(pixels_.size());
            const double copy_ms = gpu_.to_host_ms(device_.index, pixels_.size());
            result.figures["ms_per_frame_in_steady_run"] =
                measure(steady_run, budget_.share(rows_.size())).median;
            result.figures["ms_of_copy_to_host"] = copy_ms;
        } catch (const OutOfMemory&) {
            solver.end_frame();
        } catch (const std::bad_alloc&) {  // host memory
        }
    }

    /// Does the first frame and compares it with the CPU's.
    void check(Solver& solver, const Kernel& kernel, Result& result) {
        solver.advance(options_.steps_per_frame);
        const std::uint32_t sum = checksum(solver.temperatures());
        result.checksum = hex(sum);
        if (options_.no_verify || interrupted()) return;
        if (const auto expected = verifier_.expected(kernel, 1)) result.verified = *expected == sum;
    }

    void add_speed(const Kernel& kernel, double ms, Result& result) {
        const double gcells = gcells_per_s(scene_, options_.steps_per_frame, ms);
        const Ceiling ceiling = ceilings_.measured(kernel, device_.index);
        result.figures["gcells_per_s"] = gcells;
        result.figures["percent_of_ceiling"] = 100 * gcells / ceiling.gcells_per_s;
        result.figures["ceiling"] = ceiling.name;
    }

    /// Returns the share of this size's work, 0 to 1, that is done when the share `of_row` of row i is done.
    [[nodiscard]] double share_done(std::size_t i, double of_row) const {
        return (static_cast<double>(i) + of_row) / static_cast<double>(rows_.size());
    }

    const Device& device_;
    const GpuBackend& gpu_;
    const Options& options_;
    Ceilings& ceilings_;
    TimeBudget budget_;
    Paces& paces_;
    Scene scene_;
    Verifier verifier_;
    std::vector<unsigned char> pixels_;
    std::vector<unsigned char> others_;  ///< the pixels of every second frame of a steady run
    Progress progress_;
    std::unique_ptr<HiddenWindow> window_;
    std::vector<Row> rows_;
};

}  // namespace

void benchmark(Report& report, const std::vector<Kernel>& kernels, const Device& device,
               const GpuBackend& gpu, const Options& options, std::size_t memory) {
    if (options.size_given()) require_memory_for(options, device.kind, Display::headless);
    Ceilings ceilings(gpu);
    report.add_ceiling("copy_gb_per_s", ceilings.copy_gb_per_s(device.kind, device.index));
    if (is_gpu(device.kind))
        report.add_ceiling("step_arithmetic_gcells_per_s",
                           ceilings.step_arithmetic_gcells_per_s(device.index));
    // Comparison kernels come last: if the time runs out, they are left out.
    std::vector<Kernel> in_order = kernels;
    std::stable_partition(in_order.begin(), in_order.end(),
                          [](const Kernel& kernel) { return !kernel.for_comparison; });
    const TimeBudget budget(benchmark_ms);
    Paces paces;
    if (options.size_given()) {
        SizeBenchmark(in_order, device, gpu, options, ceilings, budget, paces).run(report);
        return;
    }
    const std::vector<int> sides = benchmark_sides(device.kind);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        Options sized = options;
        sized.width = sized.height = sides[i];
        if (const auto bytes = bytes_needed(sized, device.kind, Display::headless); bytes > memory) {
            leave_out(report, in_order, sized,
                      fmt::format("it needs {:.1f} GiB of memory", static_cast<double>(bytes) / 0x1p30));
            continue;
        }
        const TimeBudget share = budget.share(sides.size() - i);
        SizeBenchmark(in_order, device, gpu, sized, ceilings, share, paces).run(report);
    }
}

}  // namespace cudabook::heat
