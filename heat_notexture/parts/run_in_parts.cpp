#include "heat_notexture/parts/run_in_parts.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/numbers/crc32.hpp"
#include "common/program/device.hpp"
#include "common/program/emulated_program.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/measurement.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/parts/benchmark_in_parts.hpp"
#include "heat_notexture/parts/checkpoint.hpp"
#include "heat_notexture/parts/counts_of_all.hpp"
#include "heat_notexture/parts/grid_picture.hpp"
#include "heat_notexture/parts/part_run.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/rows.hpp"
#include "heat_notexture/parts/workers/cores.hpp"
#include "heat_notexture/parts/workers/processes.hpp"
#include "heat_notexture/parts/workers/threads.hpp"

namespace cudabook::heat {

namespace {

/// Errors: UsageError if an option is given that a run in parts does not support.
void check_for_parts(const Options& options) {
    const std::pair<const char*, bool> refused[] = {{"--window", options.display.window},
                                                    {"--script", options.display.script.has_value()},
                                                    {"--video", options.video.has_value()},
                                                    {"--png-every", options.png_every.has_value()},
                                                    {"--predict", options.common.predict}};
    for (const auto& [option, given] : refused)
        if (given)
            throw UsageError(fmt::format(
                "{}: cannot be combined with several processes or devices, nor with --checkpoint or --resume",
                option));
    if (options.checkpoint_every && !options.checkpoint)
        throw UsageError("--checkpoint-every: name the file with --checkpoint");
    if (options.common.benchmark && (options.checkpoint || options.resume || options.png))
        throw UsageError("--benchmark: cannot be combined with --checkpoint, --resume or --png");
    if (options.common.several_kernels() && options.checkpoint)
        throw UsageError("--checkpoint: a checkpoint holds the grid of one kernel; choose one with --kernel");
}

/// Returns the options, completed from the checkpoint to resume from. Errors: UsageError if the options
/// contradict the checkpoint; MachineError.
Options completed(Options options) {
    check_for_parts(options);
    if (!options.resume) return options;
    const CheckpointHead head = Checkpoint(*options.resume).head();
    const auto take = [&](const char* option, bool given, auto& value, auto kept) {
        if (given && value != kept)
            throw UsageError(fmt::format("{} {}: {} was written with {}; leave it out", option, value,
                                         *options.resume, kept));
        value = kept;
    };
    take("--width", options.width_given, options.width, static_cast<int>(head.width));
    take("--height", options.height_given, options.height, static_cast<int>(head.height));
    take("--steps-per-frame", options.steps_given, options.steps_per_frame,
         static_cast<int>(head.steps_per_frame));
    take("--speed", options.speed_given, options.speed, head.speed);
    if (options.frames.value_or(default_frames) < head.frames)
        throw UsageError(
            fmt::format("--frames {}: {} holds {} frames already; --frames counts from the start",
                        options.frames.value_or(default_frames), *options.resume, head.frames));
    return options;
}

/// Returns the GPUs for the workers of this machine, in this order, one GPU for each worker. A worker without
/// a GPU takes the CPU. Errors: UsageError, MachineError.
WorkersGpus gpus_of(const GpuBackend& gpu, const Options& options) {
    const DeviceRequest request = device_for(with_cpu_kernels(gpu.kernels), options.common);
    if (options.all_devices && request.kind == DeviceKind::cpu)
        throw UsageError(fmt::format("--devices: --kernel '{}' runs on no GPU; leave one of them out",
                                     options.common.kernel));
    WorkersGpus gpus;
    if (request.kind != DeviceKind::cpu && !request.index && (options.all_devices || started_by_mpi())) {
        const DeviceKind kind = request.kind.value_or(DeviceKind::cuda);
        std::ranges::copy_if(gpu.find_devices().all, std::back_inserter(gpus.all),
                             [kind](const Device& device) { return device.kind == kind; });
        if (!gpus.all.empty()) return gpus;
    }
    const ChosenDevice chosen = choose_device(request, gpu.find_devices);
    gpus.why_none = chosen.why_no_gpu;
    if (is_gpu(chosen.device.kind)) gpus.all.push_back(chosen.device);
    for (const int index : request.more_indices)
        gpus.all.push_back(
            choose_device({.kind = DeviceKind::cuda, .index = index}, gpu.find_devices).device);
    return gpus;
}

/// Errors: UsageError on a worker whose arguments differ from the first worker's.
void require_same_arguments(const std::vector<std::string>& of_each, const Worker& worker) {
    const std::string& own = of_each[static_cast<std::size_t>(worker.index())];
    if (own != of_each.front())
        throw UsageError(
            fmt::format("process {} was started with other options than process 0: '{}', not '{}'",
                        worker.index(), own, of_each.front()));
}

/// Shares the cores among the workers of a machine that may run on the same cores, unless OMP_NUM_THREADS
/// says how many cores each worker takes. Every worker calls it.
void share_cores(Worker& worker) {
    const int sharers = workers_with(worker, cores_allowed());
    if (std::getenv("OMP_NUM_THREADS") == nullptr)
        omp_set_num_threads(std::max(1, omp_get_num_procs() / sharers));
}

/// The data for the work after the report.
struct AfterReport {
    Picture picture;                              ///< the picture of the last frame
    std::optional<FailedTogether> not_kept = {};  ///< why the checkpoint was not written
};

/// Writes the checkpoint to the options' file. Returns false on failure.
bool keep(PartRun& run, const PartSolver* part, int frames, AfterReport& after) {
    const Options& options = run.options();
    try {
        write_checkpoint(run.worker(), run.partition(), part,
                         {.width = options.width,
                          .height = options.height,
                          .frames = frames,
                          .steps_per_frame = options.steps_per_frame,
                          .speed = options.speed},
                         *options.checkpoint);
    } catch (const FailedTogether& failure) {
        after.not_kept = failure;
    }
    return !after.not_kept;
}

/// Heats the grid for all frames with one kernel, and adds the result to the report. Returns false if an
/// interrupt came or the checkpoint could not be written.
bool heat(PartRun& run, const Kernel& kernel, const std::string& program, Report& report,
          AfterReport& after) {
    const Options& options = run.options();
    Worker& worker = run.worker();
    const int first_frame = run.first_frame();
    const int frames = options.frames.value_or(default_frames);
    auto part = run.make_part(kernel);
    std::vector<double> ms;
    bool ends = false;
    int done = first_frame;
    {
        Progress progress(fmt::format("{} {}", program, kernel.name),
                          worker.is_first() && !options.common.quiet);
        for (; done < frames && !ends; ++done) {
            ms.push_back(wall_ms([&] {
                if (part) part->advance(options.steps_per_frame);
                ends = run.any_interrupted();
            }));
            const bool due = options.checkpoint_every && (done + 1) % *options.checkpoint_every == 0;
            if (due && done + 1 < frames && !ends) ends = !keep(run, part.get(), done + 1, after);
            progress.at(static_cast<double>(done + 1 - first_frame) / (frames - first_frame));
        }
    }
    if (options.checkpoint && !after.not_kept) keep(run, part.get(), done, after);

    const std::uint32_t sum = checksum(worker, run.partition(), part.get());
    Result result{kernel.name, kernel.memory, hex(sum), std::nullopt, {}};
    result.figures["frames"] = done;
    if (worker.count() > 1) result.figures["exchange"] = run.exchange();
    if (!ms.empty() && options.steps_per_frame > 0) {
        const double median = summarise(std::move(ms)).median;
        result.figures["ms"] = median;
        result.figures["gcells_per_s"] =
            static_cast<double>(options.width) * options.height * options.steps_per_frame / median / 1e6;
    }
    result.counts = take_counts_of_all(worker, kernel.name);
    result.work = {
        static_cast<double>(options.width) * options.height * options.steps_per_frame * (done - first_frame),
        "cell"};
    if (options.png) after.picture = picture(worker, run.partition(), part.get());
    part.reset();  // before the comparison asks for memory
    if (!options.no_verify) {
        if (const auto expected = run.expected_after(kernel, done)) {
            result.verified = *expected == sum;
            result.figures["frames_verified"] = done - first_frame;
        }
    }
    report.add(std::move(result));
    return !run.any_interrupted() && !after.not_kept;
}

/// Tests all files before the work. Writes the report before the picture, and before the error of a
/// checkpoint is thrown, so that no such failure loses the report.
ExitStatus run_as_worker(Worker& worker, const std::string& program, const GpuBackend& gpu,
                         const Options& options, const WorkersGpus& gpus) {
    PartRun run(worker, program, gpu, options, gpus);
    const std::vector<Kernel> kernels = run.choose_kernels();
    if (worker.is_first() && !options.display.headless && !options.common.benchmark &&
        !options.common.several_kernels())
        note(options.common, program,
             "headless, because there is no window with several processes or devices, --checkpoint or "
             "--resume");
    std::optional<ReportOutput> output;
    std::optional<OutputFile> png;
    collectively(worker, [&] {
        if (!worker.is_first()) return;
        output.emplace(options.common);
        if (options.png) png.emplace(*options.png);
    });
    if (options.checkpoint) require_writable_checkpoint(worker, *options.checkpoint);
    share_cores(worker);
    run.connect();

    Figures parameters = options.parameters();
    parameters["workers"] = worker.count();
    parameters["parts"] = fmt::format("{}x{}", run.partition().columns(), run.partition().rows());
    Report report(program, run.device(), parameters);
    AfterReport after;
    if (options.common.benchmark)
        benchmark_in_parts(run, kernels, report);
    else
        for (const Kernel& kernel : kernels)
            if (!heat(run, kernel, program, report, after)) break;
    collectively(worker, [&] {
        if (worker.is_first()) output->write(report);
    });
    collectively(worker, [&] {
        if (png) write_png(*png, after.picture.rgba.data(), after.picture.width, after.picture.height);
    });
    if (after.not_kept) throw FailedTogether(*after.not_kept);
    const std::int64_t ok = all_gather(worker, report.ok() ? 1 : 0).front();
    return ok != 0 ? ExitStatus::ok : ExitStatus::wrong_number;
}

}  // namespace

bool is_in_parts(const Options& options) {
    return started_by_mpi() || options.all_devices || options.checkpoint_every ||
           !options.common.device.more_indices.empty() || options.checkpoint || options.resume;
}

ExitStatus run_in_parts(const std::string& name, const GpuBackend& gpu, const Options& given) {
    if (given.common.device.kind == DeviceKind::emulated)
        start_emulation(name, given.common, gpu.find_devices);
    const InterruptGuard guard;
    if (started_by_mpi())
        return run_on_processes(name, [&](Worker& worker) {
            Options options;
            WorkersGpus gpus;
            collectively(worker, [&] { options = completed(given); });
            const auto arguments =
                worker.all_gather(fmt::format("{}", fmt::join(given.common.arguments, " ")));
            collectively(worker, [&] {
                require_same_arguments(arguments, worker);
                gpus = gpus_of(gpu, options);
            });
            return run_as_worker(worker, name, gpu, options, gpus);
        });
    const Options options = completed(given);
    const WorkersGpus gpus = gpus_of(gpu, options);
    const int workers = std::max(1, static_cast<int>(gpus.all.size()));
    try {
        return run_on_threads(Partition(options.width, options.height, workers).parts(), [&](Worker& worker) {
            return run_as_worker(worker, name, gpu, options, gpus);
        });
    } catch (const FailedTogether& failure) {
        if (failure.status() == ExitStatus::usage) throw UsageError(failure.what());
        throw MachineError(failure.what());
    }
}

}  // namespace cudabook::heat
