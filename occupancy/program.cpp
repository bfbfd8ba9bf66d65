#include "occupancy/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/picture/bitmap.hpp"
#include "common/program/command_line.hpp"
#include "common/program/emulated_program.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "occupancy/calculator/chapter.hpp"
#include "occupancy/calculator/xe_lp.hpp"
#include "occupancy/picture/curve_picture.hpp"
#include "occupancy/run.hpp"

namespace cudabook::occupancy {

namespace {

constexpr const char* name = "occupancy";

struct Options {
    CommonOptions common;
    std::optional<std::string> png;
    std::optional<int> block;
    std::optional<int> blocks;
    std::optional<int> passes;
    std::size_t shared_bytes = 0;
    std::optional<std::string> gpu;  ///< for the calculator
    std::optional<int> registers;
    std::optional<int> sub_group;
    bool curves = false;
    bool chapter = false;
};

std::string gpu_names() {
    std::string names = "device, xe-lp";
    for (const GpuModel& model : published_gpus()) names += ", " + model.name;
    return names;
}

/// Refuses options that cannot be combined. Errors: UsageError.
void refuse_combinations(const Options& options, const CommandLine& line) {
    const auto refuse = [&](const char* option, const char* because) {
        if (line.given(option))
            throw UsageError(fmt::format("{} cannot be combined with {}", option, because));
    };
    if (options.chapter)
        for (const char* option : {"--gpu", "--png", "--block", "--blocks", "--passes", "--shared",
                                   "--kernel", "--benchmark", "--counters", "--trace", "--device"})
            refuse(option, "--chapter, which only prints the chapter's tables");
    if (options.gpu)
        for (const char* option :
             {"--blocks", "--passes", "--kernel", "--benchmark", "--counters", "--trace"})
            refuse(option, "--gpu, which runs nothing");
    else
        for (const char* option : {"--registers", "--sub-group", "--curves"})
            if (line.given(option))
                throw UsageError(fmt::format("{} is for the calculator: use it with --gpu NAME", option));
    if (options.gpu && options.gpu != "device")
        refuse("--device", "--gpu NAME; to ask for this device use --gpu device");
    if (options.gpu == "xe-lp")
        refuse("--registers", "--gpu xe-lp, where they do not limit the occupancy");
    else
        refuse("--sub-group", "an NVIDIA GPU, whose warps have 32 threads");
    if (options.gpu && *options.gpu != "device" && *options.gpu != "xe-lp" && !published_gpu(*options.gpu))
        throw UsageError(fmt::format("--gpu '{}': use {}", *options.gpu, gpu_names()));
}

/// Returns nullopt if --help or --version was given, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    Options options;
    CommandLine line(name, "Predicts where and when each block of a kernel runs, and checks the prediction");
    line.option("--block", options.block, "Threads of a block (default: the kernel's own; with --gpu 256)")
        .in_range(1, 1024)
        .type_name("N");
    line.option("--shared", options.shared_bytes,
                "Bytes of shared memory of a block; a vector addition reserves them and does not use them")
        .in_range(0, std::size_t{1} << 30U)
        .type_name("BYTES");
    line.option("--blocks", options.blocks,
                "Blocks of a vector addition (default: more than the GPU holds at once)")
        .in_range(1, 65536)
        .type_name("N");
    line.option("--passes", options.passes,
                "Bytes that a vector addition adds to each element: how long its blocks last")
        .in_range(1, 1000000)
        .type_name("N");
    line.option("--png", options.png,
                "Write a picture: timelines; with --benchmark time over occupancy; with --gpu the curves")
        .type_name("FILE");
    line.option("--gpu", options.gpu,
                fmt::format("Calculate the occupancy on a GPU instead of running kernels: {} (the one of "
                            "--device comes first)",
                            gpu_names()))
        .type_name("NAME");
    line.option("--registers", options.registers, "With --gpu: registers of a thread (default: 32)")
        .in_range(1, 255)
        .type_name("N");
    line.option("--sub-group", options.sub_group,
                "With --gpu xe-lp: work-items that a thread runs together: 8 (the default), 16 or 32")
        .one_of({8, 16, 32})
        .type_name("N");
    line.flag("--curves", options.curves,
              "With --gpu: the occupancy over block size, registers and shared memory, too");
    line.flag("--chapter", options.chapter, "Print the tables of the oneAPI guide's chapter, recalculated");
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    refuse_combinations(options, line);
    return options;
}

// ----- The chapter

void print(const CommonOptions& options, const std::string& text) {
    if (options.quiet || options.json_on_stdout()) return;
    std::fputs(text.c_str(), stdout);
    check_stdout();
}

/// A report whose results are printed by print().
struct QuietReport {
    QuietReport(const CommonOptions& options, Figures parameters)
        : output([&] {
              CommonOptions quiet = options;
              quiet.quiet = true;
              return quiet;
          }()),
          report(name, cpu_device(), std::move(parameters)) {}
    ReportOutput output;
    Report report;
};

ExitStatus show_chapter(const Options& options) {
    QuietReport quiet(options.common, {});
    const ChapterTables tables = chapter_tables();
    for (const Figures& row : tables.rows)
        quiet.report.add({"chapter", "none", "", row.find("ok")->value == Figure::Value(true), row});
    print(options.common, tables.text);
    quiet.output.write(quiet.report);
    return quiet.report.exit_status();
}

// ----- The calculator

/// The GPU named by --gpu. Errors: MachineError.
CalculatedGpu calculated_gpu(const GpuBackend& gpu, const Options& options) {
    if (*options.gpu == "xe-lp") return xe_lp();
    if (!gpu.calculator)
        throw MachineError(fmt::format(
            "--gpu {}: this build has neither CUDA nor the emulated GPU, whose calculator this takes; use "
            "xe-lp, or "
            "install Boost.Context (Debian: apt-get install libboost-context-dev) and build again",
            *options.gpu));
    GpuModel model;
    if (*options.gpu == "device") {
        if (options.common.device.kind == DeviceKind::emulated)
            start_emulation(name, options.common, gpu.find_devices);
        const ChosenDevice chosen = choose_device(options.common.device, gpu.find_devices);
        if (chosen.device.kind == DeviceKind::cpu)
            throw MachineError(fmt::format("--gpu device: the device is the CPU{}; use {}",
                                           chosen.why_no_gpu.empty() ? "" : ", because " + chosen.why_no_gpu,
                                           gpu_names().substr(gpu_names().find(' ') + 1)));
        model = gpu.model_of(chosen.device);
    } else {
        model = *published_gpu(*options.gpu);
    }
    return {.name = model.name,
            .product = model.product,
            .multiprocessors = model.multiprocessors,
            .most_threads = 1024,
            .most_shared_bytes = model.shared_bytes_per_block_optin,
            .has_registers = true,
            .calculate = gpu.calculator(model)};
}

ExitStatus calculate(const GpuBackend& backend, const Options& options) {
    const CalculatedGpu gpu = calculated_gpu(backend, options);
    const KernelResources shape{.threads = options.block.value_or(256),
                                .registers = options.registers.value_or(32),
                                .shared_bytes = options.shared_bytes,
                                .lanes = gpu.has_registers ? 32 : options.sub_group.value_or(8)};
    if (shape.threads > gpu.most_threads)
        throw UsageError(fmt::format("--block {}: {} has groups of at most {} work-items", shape.threads,
                                     gpu.name, gpu.most_threads));
    if (shape.shared_bytes > gpu.most_shared_bytes)
        throw UsageError(fmt::format("--shared {}: {} gives a block at most {} bytes", shape.shared_bytes,
                                     gpu.name, gpu.most_shared_bytes));
    QuietReport quiet(options.common, {{"gpu", gpu.name},
                                       {"threads", shape.threads},
                                       {"registers", shape.registers},
                                       {"shared_bytes", shape.shared_bytes},
                                       {"lanes", shape.lanes}});
    std::optional<OutputFile> png;
    if (options.png) png.emplace(*options.png);
    const auto held = gpu.calculate(shape);
    if (!held)
        throw MachineError(
            fmt::format("--gpu {}: this CUDA toolkit's calculator does not know {}; use a newer one",
                        gpu.name, gpu.product));
    Result answer{"calculator", "none", "", std::nullopt};
    answer.figures["blocks_per_multiprocessor"] = held->blocks;
    answer.figures["warps_per_multiprocessor"] = held->warps;
    answer.figures["occupancy_percent"] = held->percent();
    answer.figures["occupancy_limit"] = held->limit;
    quiet.report.add(std::move(answer));
    std::string text = answer_text(gpu, shape, *held);
    std::vector<Curve> all;
    if (options.curves || png) all = curves(gpu, shape);
    if (options.curves) {
        text += '\n';
        text += curves_text(all);
        for (const Curve& curve : all)
            for (const CurvePoint& point : curve.points)
                quiet.report.add(
                    {"curve",
                     "none",
                     "",
                     std::nullopt,
                     {{"over", curve.over}, {"at", point.at}, {"occupancy_percent", point.percent}}});
    }
    print(options.common, text);
    if (png) write_png(*png, picture_of(gpu, shape, *held, all));
    quiet.output.write(quiet.report);
    return ExitStatus::ok;
}

// ----- Kernels

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    if (!options.common.only_lists()) {
        if (options.chapter) return show_chapter(options);
        if (options.gpu) return calculate(gpu, options);
    }
    const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                               {"all", "all"}, options.common);
    if (!choice) return ExitStatus::ok;
    const auto& [device, kernels] = *choice;
    const bool on_cpu = device.kind == DeviceKind::cpu;
    if (on_cpu && options.shared_bytes > 0)
        throw UsageError("--shared: the CPU has no shared memory; leave it out");
    if (!on_cpu && options.shared_bytes > gpu.model_of(device).shared_bytes_per_block_optin)
        throw UsageError(fmt::format("--shared {}: {} gives a block at most {} bytes", options.shared_bytes,
                                     device.name, gpu.model_of(device).shared_bytes_per_block_optin));
    const bool adds =
        std::ranges::any_of(kernels, [](const Kernel& kernel) { return kernel.add != nullptr; });
    if (!adds && (options.block || options.blocks || options.passes || options.shared_bytes > 0))
        throw UsageError(
            fmt::format("--block, --blocks, --passes and --shared are for the vector additions, and "
                        "--kernel {} is none",
                        options.common.kernel));
    if (options.png && kernels.size() == 1 && kernels.front().sweep && !options.common.benchmark)
        throw UsageError(fmt::format("--png with --kernel {} needs --benchmark, which measures its curves",
                                     kernels.front().name));
    return run_kernels(gpu, device, kernels,
                       {.common = options.common,
                        .request = {.blocks = options.blocks,
                                    .threads = options.block,
                                    .passes = options.passes,
                                    .shared_bytes = options.shared_bytes},
                        .png = options.png});
}

}  // namespace

int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        return options ? run(gpu, *options) : ExitStatus::ok;
    });
}

}  // namespace cudabook::occupancy
