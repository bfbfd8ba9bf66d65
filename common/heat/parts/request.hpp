// What a run in parts is asked for: its options, and the devices of its workers.
#pragma once

#include <string>
#include <vector>

#include "common/heat/gpu_backend.hpp"
#include "common/heat/options.hpp"
#include "common/program/device.hpp"
#include "common/workers/worker.hpp"

namespace cudabook::heat {

/// The options, with what they leave open taken from the checkpoint that they go on from. Errors: UsageError,
/// where they say something else; MachineError.
Options completed(Options options);

/// The GPUs that the workers of this machine take, one each and in this order; the workers for which there is
/// none take the CPU. Errors: MachineError.
std::vector<Device> gpus_of(const GpuBackend& gpu, const Options& options);

/// Errors: UsageError, on the worker whose arguments are not the first one's.
void require_same_arguments(const std::vector<std::string>& of_each, const Worker& worker);

/// The first of a worker's GPUs that no worker before it takes; if there is none, the CPU. A cluster may show
/// a process all GPUs of its machine, or its own alone. Every worker calls it.
Device device_of(Worker& worker, const std::vector<Device>& gpus);

}  // namespace cudabook::heat
