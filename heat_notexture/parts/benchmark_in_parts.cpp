#include "heat_notexture/parts/benchmark_in_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/measurement.hpp"
#include "heat_notexture/ceiling.hpp"
#include "heat_notexture/parts/rows.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

namespace {

/// The largest message between two parts, in cells.
std::size_t longest_halo(const Partition& partition, int depth) {
    const Borders borders = partition.borders(0, depth);
    std::vector<Border> all = borders.beside;
    all.insert(all.end(), borders.above_and_below.begin(), borders.above_and_below.end());
    std::size_t most = 0;
    for (const Border& border : all)
        most = std::max(
            most, static_cast<std::size_t>(border.halo.width) * static_cast<std::size_t>(border.halo.height));
    return most;
}

/// Returns the time in ms of an exchange of `cells` cells between two neighbours while nothing else is done.
double exchange_ms(const PartRun& run, std::size_t cells) {
    Worker& worker = run.worker();
    if (run.link() != nullptr) return run.gpu().exchange_ms(worker, *run.link(), run.device().index, cells);
    const int other = worker.index() ^ 1;
    const std::vector<float> sent(cells);
    std::vector<float> received(cells);
    const Outgoing outgoing{other, 0, std::as_bytes(std::span(sent))};
    const Incoming incoming{other, 0, std::as_writable_bytes(std::span(received))};
    const std::size_t messages = other < worker.count() ? 1 : 0;
    std::vector<double> ms;
    for (int i = 0; i < 10; ++i)
        ms.push_back(wall_ms([&] { worker.exchange({&outgoing, messages}, {&incoming, messages}); }));
    return summarise(std::move(ms)).median;
}

/// Returns the sum of the ceilings of all workers that have a part, in billions of cells a second, as if
/// nothing had to be exchanged.
double ceiling_of_all(const PartRun& run, const Kernel& kernel, Ceilings& ceilings) {
    const auto own = std::llround(1000 * ceilings.measured(kernel, run.device().index).gcells_per_s);
    const auto all = all_gather(run.worker(), run.has_part() ? own : 0);
    return static_cast<double>(std::accumulate(all.begin(), all.end(), std::int64_t{0})) / 1000;
}

/// Measures the whole grid on the first worker.
Measurement measure_alone(const PartRun& run, const Kernel& kernel) {
    const Options& options = run.options();
    Measurement alone;
    collectively(run.worker(), [&] {
        if (!run.worker().is_first()) return;
        PartSolver whole(run.worker(), Partition(options.width, options.height, 1),
                         std::numeric_limits<int>::max(), kernel,
                         SolverOptions{.speed = options.speed, .device = run.device().index});
        alone = measure([&] { return whole.advance(options.steps_per_frame); });
    });
    return alone;
}

/// Measures frames on all workers; the time of a frame is the slowest worker's. Returns nullopt if an
/// interrupt comes.
std::optional<Measurement> measure_together(PartRun& run, PartSolver* part, std::int64_t repetitions) {
    std::vector<double> ms;
    for (std::int64_t i = -2; i < repetitions; ++i) {  // two to warm up
        if (run.any_interrupted()) return std::nullopt;
        const double own = part != nullptr ? part->advance(run.options().steps_per_frame) : 0;
        const auto all = all_gather(run.worker(), std::llround(own * 1e6));
        if (i >= 0) ms.push_back(static_cast<double>(*std::ranges::max_element(all)) / 1e6);
    }
    return summarise(std::move(ms));
}

/// Measures a kernel on the first worker alone, then on all workers, by frames without a picture. Returns
/// false if an interrupt came.
bool benchmark(PartRun& run, const Kernel& kernel, Ceilings& ceilings, Report& report) {
    const Options& options = run.options();
    const Measurement alone = measure_alone(run, kernel);
    constexpr double enough_ms = 500;
    const auto repetitions = std::clamp<std::int64_t>(
        all_gather(run.worker(), static_cast<std::int64_t>(enough_ms / std::max(alone.median, 1e-3))).front(),
        5, 200);

    auto part = run.make_part(kernel);
    if (part) part->advance(options.steps_per_frame);
    const std::uint32_t sum = checksum(run.worker(), run.partition(), part.get());
    const std::optional<Measurement> all = measure_together(run, part.get(), repetitions);
    if (!all) return false;
    part.reset();

    Result result{kernel.name, kernel.memory, hex(sum), std::nullopt, {}};
    if (!options.no_verify)
        if (const auto expected = run.expected_after(kernel, 1)) result.verified = *expected == sum;
    result.figures["width"] = options.width;
    result.figures["height"] = options.height;
    result.figures["parts"] = fmt::format("{}x{}", run.partition().columns(), run.partition().rows());
    result.figures["exchange"] = run.exchange();
    add_figures(result.figures, *all);
    const auto rate = [&](double of_ms) {
        return static_cast<double>(options.width) * options.height * options.steps_per_frame / of_ms / 1e6;
    };
    result.figures["gcells_per_s"] = rate(all->median);
    result.figures["gcells_per_s_of_one"] = rate(alone.median);
    result.figures["times_one"] = alone.median / all->median;
    const double ceiling = ceiling_of_all(run, kernel, ceilings);
    result.figures["ceiling_gcells_per_s"] = ceiling;
    result.figures["percent_of_ceiling"] = 100 * rate(all->median) / ceiling;
    if (run.partition().parts() > 1) {
        const int depth = run.depth_of(kernel);
        const std::size_t cells = longest_halo(run.partition(), depth);
        const double ms = exchange_ms(run, cells);
        result.figures["halo_cells"] = cells;
        result.figures["rounds"] = rounds_of(options.steps_per_frame, depth);
        result.figures["exchange_ms"] = ms;
        result.figures["exchange_gb_per_s"] = static_cast<double>(cells * sizeof(float)) / ms / 1e6;
    }
    report.add(std::move(result));
    return true;
}

std::vector<int> sides_for(DeviceKind device) {
    switch (device) {
        case DeviceKind::cuda:
            return {1024, 2048, 4096, 8192, 16384, 32768};
        case DeviceKind::cpu:
            return {1024, 4096};
        case DeviceKind::emulated:
            return {64, 128, 256};
    }
    return {};
}

}  // namespace

void benchmark_in_parts(PartRun& run, const std::vector<Kernel>& kernels, Report& report) {
    const Options& options = run.options();
    Ceilings ceilings(run.gpu());
    const auto of_first = static_cast<DeviceKind>(
        all_gather(run.worker(), static_cast<std::int64_t>(run.device().kind)).front());
    // The runs of all sizes are created before the first measurement, because memory may be lacking for a
    // large size.
    std::list<Options> sized;
    std::list<PartRun> of_sizes;
    for (const int side : options.size_given() ? std::vector{0} : sides_for(of_first)) {
        sized.push_back(options);
        if (side != 0) sized.back().width = sized.back().height = side;
        of_sizes.emplace_back(run, sized.back());
    }
    for (PartRun& of_size : of_sizes)
        for (const Kernel& kernel : kernels)
            if (!benchmark(of_size, kernel, ceilings, report)) return;
}

}  // namespace cudabook::heat
