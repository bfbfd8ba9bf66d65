#include "texture_unit/run.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "common/program/interrupt.hpp"
#include "common/program/memory.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "common/program/threads.hpp"
#include "texture_unit/benchmark.hpp"
#include "texture_unit/comparison.hpp"
#include "texture_unit/picture/lesson_picture.hpp"

namespace cudabook::texture_unit {

namespace {

/// What a write outside a surface does in the mode trap. A real GPU cannot be used afterwards.
Result trap_result(const GpuBackend& gpu, const Device& device) {
    const std::string error = gpu.trap(device);
    Result result{"boundary_trap", "surface", "", !error.empty()};
    result.figures["lesson"] = "boundary";
    result.figures["outside"] = error.empty() ? "wrong" : "as defined";
    return result;
}

/// For what a run keeps until its end: exact arithmetic's picture of each lesson, on a GPU the model's too,
/// and for a sheet a third; beside them the picture that is drawn, and what it is drawn from. Errors:
/// MachineError.
void require_memory_for(const std::vector<Kernel>& kernels, const RunOptions& options) {
    std::set<std::string> lessons;
    for (const Kernel& kernel : kernels)
        if (!kernel.ask) lessons.insert(kernel.lesson);
    const std::size_t kept = (kernels.front().device == DeviceKind::cpu ? 1U : 2U) + (options.png ? 1U : 0U);
    const auto side = static_cast<std::size_t>(options.size);
    require_memory((lessons.size() * kept + 2) * side * side * sizeof(Texel),
                   fmt::format("a run through {0} lessons at {1}x{1} pixels", lessons.size(), side));
}

}  // namespace

ExitStatus run_lessons(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                       const RunOptions& options) {
    require_memory_for(kernels, options);
    const InterruptGuard guard;
    start_threads();
    ReportOutput output(options.common);
    std::optional<OutputFile> png;
    if (options.png) png.emplace(*options.png);
    Report report("texture_unit", device, {{"size", options.size}});
    Progress progress("texture_unit", !options.common.quiet);
    References references(options.size);
    const double share = options.common.benchmark ? 0.1 : 1;
    double done = 0;
    std::vector<Panel> panels;
    Image picture;
    for (const Kernel& kernel : kernels) {
        if (kernel.ask) {
            report.add(kernel.ask(device));
        } else {
            Compared compared = compare(kernel, device, references);
            report.add(std::move(compared.result));
            if (png && kernels.size() == 1) picture = lesson_picture(kernel, compared.image, references);
            if (png && kernels.size() > 1 && kernel.name == kernel.lesson)
                panels.push_back(lesson_panel(kernel, compared.image, references));
        }
        progress.at(share * ++done / static_cast<double>(kernels.size()));
        if (interrupted()) break;
    }
    if (options.common.benchmark && !interrupted())
        benchmark(report, gpu, device, kernels, progress.part(share, 1));
    if (std::ranges::find(kernels, "boundary", &Kernel::name) != kernels.end() && !interrupted())
        report.add(trap_result(gpu, device));
    output.write(report);
    if (png) {
        if (kernels.size() > 1) picture = contact_sheet(panels);
        write_png(*png, rgba(picture).data(), picture.width, picture.height);
    }
    return report.exit_status();
}

}  // namespace cudabook::texture_unit
