#include "heat_notexture/parts/part_run.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/memory.hpp"
#include "common/program/progress.hpp"
#include "heat_notexture/cpu/blocked_solver.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/parts/halo_depth.hpp"
#include "heat_notexture/parts/rows.hpp"
#include "heat_notexture/parts/workers/processes.hpp"

namespace cudabook::heat {

namespace {

/// Returns the first of a worker's GPUs that no worker before it takes, or the CPU if there is none. A
/// cluster may show a process all GPUs of its machine or only the process's own GPU. Every worker calls it.
Device device_of(Worker& worker, const std::vector<Device>& gpus) {
    std::vector<std::string> uuids;
    for (const Device& gpu : gpus) uuids.push_back(gpu.uuid);
    std::set<std::string> taken;
    const auto of_each = worker.all_gather(fmt::format("{}", fmt::join(uuids, " ")));
    for (int i = 0; i < worker.index(); ++i) {
        std::istringstream words(of_each[static_cast<std::size_t>(i)]);
        for (std::string uuid; words >> uuid;)
            if (taken.insert(uuid).second) break;
    }
    const auto own = std::ranges::find_if(gpus, [&](const Device& gpu) { return !taken.contains(gpu.uuid); });
    return own == gpus.end() ? cpu_device() : *own;
}

}  // namespace

PartRun::PartRun(Worker& worker, const std::string& program, const GpuBackend& gpu, const Options& options,
                 const WorkersGpus& gpus)
    : worker_(worker),
      program_(program),
      options_(options),
      gpu_(gpu),
      partition_(options.width, options.height, worker.count()),
      device_(device_of(worker, gpus.all)),
      why_no_gpu_(gpus.why_none) {
    collectively(worker_, [this] {
        require_usable_device();
        if (options_.resume) resumed_.emplace(*options_.resume);
        require_memory();
    });
}

PartRun::PartRun(const PartRun& other, const Options& options)
    : worker_(other.worker_),
      program_(other.program_),
      options_(options),
      gpu_(other.gpu_),
      partition_(options.width, options.height, worker_.count()),
      device_(other.device_),
      link_(other.link_) {
    collectively(worker_, [this] { require_memory(); });
}

std::vector<Kernel> PartRun::choose_kernels() {
    std::vector<Kernel> all = with_cpu_kernels(gpu_.kernels);
    const DefaultKernels defaults{"blocked", gpu_.fastest};
    std::vector<std::string> names;
    collectively(worker_, [&] {
        if (!worker_.is_first()) return;
        for (const Kernel& kernel :
             kernels_on({device_, why_no_gpu_}, program_, all, defaults, options_.common))
            names.push_back(kernel.name);
    });
    const std::string said = worker_.all_gather(fmt::format("{}", fmt::join(names, " "))).front();

    std::erase_if(all, [this](const Kernel& kernel) { return !runs_on(kernel.device, device_.kind); });
    const auto named = [&all](const std::string& name) {
        return std::ranges::find(all, name, &Kernel::name);
    };
    std::vector<Kernel> kernels;
    std::istringstream words(said);
    for (std::string name; words >> name;)
        kernels.push_back(*(named(name) != all.end()
                                ? named(name)
                                : named(is_gpu(device_.kind) ? defaults.gpu : defaults.cpu)));
    return kernels;
}

void PartRun::connect() {
    const auto on_gpus = all_gather(worker_, is_gpu(device_.kind) && gpu_.connect ? 1 : 0);
    if (worker_.count() > 1 && std::ranges::count(on_gpus, 1) == worker_.count())
        link_ = gpu_.connect(worker_, device_.index, !started_by_mpi());
}

bool PartRun::any_interrupted() {
    return std::ranges::count(all_gather(worker_, interrupted() ? 1 : 0), 1) > 0;
}

int PartRun::depth_of(const Kernel& kernel) {
    const Region part = partition_.part(worker_.index() % partition_.parts());
    const GpuTraits gpu{device_.units, device_.compute_capability == "9.0"};
    const auto wishes =
        all_gather(worker_, halo_depth(kernel, part.width, part.height, options_.steps_per_frame, gpu));
    const int depth = static_cast<int>(*std::ranges::max_element(wishes));
    const auto deepest = partition_.deepest_halo();
    return deepest ? std::min(depth, *deepest) : std::numeric_limits<int>::max();
}

std::unique_ptr<PartSolver> PartRun::make_part(const Kernel& kernel) {
    return make_part(kernel, device_.index, link());
}

std::optional<std::uint32_t> PartRun::expected_after(const Kernel& kernel, int frames) {
    const std::vector<Kernel> cpu = cpu_kernels();
    const bool run_was_interrupted = any_interrupted();
    const auto names = worker_.all_gather(kernel.name);
    const char* const by = std::ranges::count(names, "blocked") > 0 ? "reference" : "blocked";
    const auto part = make_part(*std::ranges::find(cpu, by, &Kernel::name), 0, nullptr);
    Progress progress("comparing with the CPU", worker_.is_first() && !options_.common.quiet);
    for (int frame = first_frame(); frame < frames; ++frame) {
        if (!run_was_interrupted && any_interrupted()) return std::nullopt;
        if (part) part->advance(options_.steps_per_frame);
        progress.at(static_cast<double>(frame + 1 - first_frame()) / (frames - first_frame()));
    }
    return checksum(worker_, partition_, part.get());
}

/// Errors: MachineError.
void PartRun::require_usable_device() const {
    if (!is_gpu(device_.kind)) return;
    if (const std::string why = gpu_.find_devices().why_unusable(device_); !why.empty())
        throw MachineError(fmt::format("cuda:{} cannot be used ({})", device_.index, why));
}

/// Errors: OutOfMemory. A solver on the CPU, which also computes the expected result, needs three grids of
/// floats. An emulated GPU, whose memory is host memory, needs six. In a benchmark, the first worker also
/// has the whole grid, but does not compare it.
void PartRun::require_memory() const {
    const auto need = [this](const Region& region, bool compared, int workers) {
        const std::size_t cells =
            device_.kind == DeviceKind::emulated
                ? 6 * static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height)
            : device_.kind == DeviceKind::cpu || compared ? 3 * cells_in_blocks(region.width, region.height)
                                                          : 0;
        cudabook::require_memory(cells * sizeof(float) * static_cast<std::size_t>(workers),
                                 fmt::format("a grid of {}x{} cells", options_.width, options_.height));
    };
    if (has_part()) need(partition_.part(worker_.index()), !options_.no_verify, worker_.count_on_machine());
    if (options_.common.benchmark && worker_.is_first())
        need({0, 0, options_.width, options_.height}, false, 1);
}

std::unique_ptr<PartSolver> PartRun::make_part(const Kernel& kernel, int device, DeviceLink* link) {
    const int depth = depth_of(kernel);
    std::unique_ptr<PartSolver> part;
    collectively(worker_, [&] {
        if (has_part())
            part =
                std::make_unique<PartSolver>(worker_, partition_, depth, kernel,
                                             SolverOptions{.speed = options_.speed, .device = device}, link);
    });
    if (resumed_) resumed_->read(worker_, partition_, part.get());
    return part;
}

}  // namespace cudabook::heat
