#include "texture_unit/run.hpp"

#include <algorithm>
#include <utility>

#include "common/program/interrupt.hpp"
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

}  // namespace

ExitStatus run_lessons(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                       const RunOptions& options) {
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
    if (options.common.benchmark) benchmark(report, gpu, device, kernels, progress.part(share, 1));
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
