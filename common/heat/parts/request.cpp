#include "common/heat/parts/request.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/heat/parts/checkpoint.hpp"
#include "common/program/errors.hpp"
#include "common/workers/processes.hpp"

namespace cudabook::heat {

namespace {

/// Errors: UsageError, for options that such a run does not have.
void check_for_parts(const Options& options) {
    const std::pair<const char*, bool> refused[] = {{"--window", options.display.window},
                                                    {"--script", options.display.script.has_value()},
                                                    {"--video", options.video.has_value()},
                                                    {"--png-every", options.png_every.has_value()}};
    for (const auto& [option, given] : refused)
        if (given)
            throw UsageError(fmt::format(
                "{}: cannot be combined with several processes or devices, nor with --checkpoint or --resume",
                option));
    if (options.checkpoint_every && !options.checkpoint)
        throw UsageError("--checkpoint-every: name the file with --checkpoint");
    if (options.common.benchmark && (options.checkpoint || options.resume || options.png))
        throw UsageError(
            "--benchmark: keeps no grid and draws no picture; leave out --checkpoint, --resume and --png");
    if (options.common.all_kernels() && options.checkpoint)
        throw UsageError("--checkpoint: keeps one kernel's grid; name it with --kernel");
}

}  // namespace

Options completed(Options options) {
    check_for_parts(options);
    if (!options.resume) return options;
    const CheckpointHead head = read_checkpoint_head(*options.resume);
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

std::vector<Device> gpus_of(const GpuBackend& gpu, const Options& options) {
    const DeviceRequest& request = options.common.device;
    std::vector<Device> devices;
    if (request.kind != DeviceKind::cpu && !request.index && (options.all_devices || started_by_mpi())) {
        const DeviceKind kind = request.kind.value_or(DeviceKind::cuda);
        std::ranges::copy_if(gpu.find_devices().all, std::back_inserter(devices),
                             [kind](const Device& device) { return device.kind == kind; });
    }
    if (devices.empty()) devices.push_back(choose_device(request, gpu.find_devices).device);
    for (const int index : request.more_indices)
        devices.push_back(choose_device({.kind = DeviceKind::cuda, .index = index}, gpu.find_devices).device);
    std::erase_if(devices, [](const Device& device) { return !is_gpu(device.kind); });
    return devices;
}

void require_same_arguments(const std::vector<std::string>& of_each, const Worker& worker) {
    const std::string& own = of_each[static_cast<std::size_t>(worker.index())];
    if (own != of_each.front())
        throw UsageError(
            fmt::format("process {} was started with other options than process 0: '{}', not '{}'",
                        worker.index(), own, of_each.front()));
}

Device device_of(Worker& worker, const std::vector<Device>& gpus) {
    std::vector<std::string> uuids;
    for (const Device& gpu : gpus) uuids.push_back(gpu.uuid);
    std::set<std::string> taken;
    const auto of_each = worker.gather(fmt::format("{}", fmt::join(uuids, " ")));
    for (int i = 0; i < worker.index(); ++i) {
        std::istringstream words(of_each[static_cast<std::size_t>(i)]);
        for (std::string uuid; words >> uuid;)
            if (taken.insert(uuid).second) break;
    }
    const auto own = std::ranges::find_if(gpus, [&](const Device& gpu) { return !taken.contains(gpu.uuid); });
    return own == gpus.end() ? cpu_device() : *own;
}

}  // namespace cudabook::heat
