#include "texture_unit/run.hpp"

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

/// Throws an error if the host has too little memory for a run. A run keeps two pictures of each lesson:
/// the model's picture and the picture of exact arithmetic. For a sheet, it also keeps a third picture of
/// each lesson, and the sheet. In addition it needs the current picture and its source and, for a single
/// lesson, the three panels, separately and side by side. Errors: MachineError.
void require_memory_for(const std::vector<Kernel>& kernels, const RunOptions& options) {
    std::set<std::string> lessons;
    for (const Kernel& kernel : kernels)
        if (!kernel.ask) lessons.insert(kernel.lesson);
    const std::size_t for_png = !options.png ? 0 : kernels.size() == 1 ? 8 : 3 * lessons.size();
    const auto side = static_cast<std::size_t>(options.size);
    require_memory((2 * lessons.size() + for_png + 4) * side * side * sizeof(Texel),
                   fmt::format("a run through {0} lessons at {1}x{1} pixels", lessons.size(), side));
}

/// Adds a note if results are wrong on a GPU other than the kind on which the model was measured.
void note_other_gpu(const Report& report, const Device& device, const CommonOptions& options) {
    constexpr const char* measured = "9.0";
    if (report.ok() || device.kind != DeviceKind::cuda || device.compute_capability == measured) return;
    note(options, "texture_unit",
         fmt::format(
             "the model of the texture unit was measured on an H200 (compute capability {}); this GPU has "
             "{}, whose unit may round otherwise",
             measured, device.compute_capability));
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
        } else if (options.common.runs_some_blocks()) {
            const Scene& scene = references.scene(lesson(kernel.lesson));
            kernel.draw(device, scene);
            if (kernel.draw_first) kernel.draw_first(device, scene);
            report.add({kernel.name, kernel.memory, "", std::nullopt, {{"lesson", kernel.lesson}}});
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
    if (kernels.size() == 1 && kernels.front().ask_last && !interrupted())
        report.add(kernels.front().ask_last(device));
    note_other_gpu(report, device, options.common);
    output.write(report);
    if (png) {
        if (kernels.size() > 1) picture = contact_sheet(panels);
        write_png(*png, rgba(picture).data(), picture.width, picture.height);
    }
    return report.exit_status();
}

}  // namespace cudabook::texture_unit
