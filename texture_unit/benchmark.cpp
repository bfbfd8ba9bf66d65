#include "texture_unit/benchmark.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/interrupt.hpp"

namespace cudabook::texture_unit {

namespace {

/// The numbers of texels along a side. On a GPU, floats take 1 MB, 16 MB and 256 MB; no cache holds 256 MB.
std::vector<int> sizes_on(DeviceKind device) {
    if (device == DeviceKind::emulated) return {32, 64};
    return {512, 2048, 8192};
}

/// The least time in ms, and what determines it: the rate of a copy in memory, or of the texture unit.
struct Floor {
    double ms;
    const char* limit;
};
Floor floor_of(const Cost& cost, double copy_gb_per_s, double gfetches_per_s) {
    const double memory = static_cast<double>(cost.bytes) / copy_gb_per_s / 1e6;
    const double fetches = static_cast<double>(cost.fetches) / gfetches_per_s / 1e6;
    return fetches > memory ? Floor{fetches, "texture unit"} : Floor{memory, "copy"};
}

Result result_of(const Kernel& kernel, const Cost& cost, int size, const Floor& floor) {
    Result result{kernel.name, kernel.memory, "", std::nullopt};
    result.figures["lesson"] = kernel.lesson;
    result.figures["texels"] = size;
    add_figures(result.figures, cost.time);
    const auto a_second = [&](double what) { return what / cost.time.median / 1e6; };
    result.figures["gpixels_per_s"] = a_second(static_cast<double>(cost.pixels));
    result.figures["gb_per_s"] = a_second(static_cast<double>(cost.bytes));
    result.figures["limit"] = floor.limit;
    result.figures["percent_of_ceiling"] = 100 * floor.ms / cost.time.median;
    return result;
}

}  // namespace

void benchmark(Report& report, const GpuBackend& gpu, const Device& device,
               const std::vector<Kernel>& kernels, const std::function<void(double)>& on_share_done) {
    const Ceilings ceilings = gpu.ceilings(device);
    report.add_ceiling("copy_gb_per_s", ceilings.copy_gb_per_s);
    report.add_ceiling("gfetches_per_s", ceilings.gfetches_per_s);
    report.add_ceiling("linear_gfetches_per_s", ceilings.linear_gfetches_per_s);
    const std::vector<int> sizes = sizes_on(device.kind);
    const TimeBudget budget(benchmark_ms);
    const auto is_measured = [](const Kernel& kernel) { return kernel.measure != nullptr; };
    std::size_t left = sizes.size() * static_cast<std::size_t>(std::ranges::count_if(kernels, is_measured));
    const auto all = static_cast<double>(left);
    for (const int size : sizes) {
        std::map<std::size_t, double> copies;  // the rates of copies in GB/s, by the number of bytes
        for (const Kernel& kernel : kernels) {
            if (!is_measured(kernel)) continue;
            if (interrupted()) return;
            try {
                const Scene job = lesson(kernel.lesson).job(size);
                const Cost cost = kernel.measure(device, job, budget.share(left));
                if (!copies.contains(cost.bytes)) copies[cost.bytes] = gpu.copy_gb_per_s(device, cost.bytes);
                const bool filtered = job.filter == Filter::linear;
                report.add(
                    result_of(kernel, cost, size,
                              floor_of(cost, copies[cost.bytes],
                                       filtered ? ceilings.linear_gfetches_per_s : ceilings.gfetches_per_s)));
            } catch (const OutOfMemory& too_large) {
                Result result{kernel.name, kernel.memory, "", std::nullopt};
                result.figures["lesson"] = kernel.lesson;
                result.figures["texels"] = size;
                result.figures["left_out"] = too_large.what();
                report.add(std::move(result));
            }
            on_share_done((all - static_cast<double>(--left)) / all);
        }
    }
}

}  // namespace cudabook::texture_unit
