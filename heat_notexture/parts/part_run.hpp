// One worker's state in a run in parts: its device, its part of the grid, its connection to other workers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/options.hpp"
#include "heat_notexture/parts/checkpoint.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/device_link.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// The GPUs for the workers of one machine, in the order in which the workers take them. A worker for which
/// no GPU is left uses the CPU.
struct WorkersGpus {
    std::vector<Device> all;
    std::string why_none;  ///< why there is no GPU, if --device auto chose the CPU; else empty
};

/// Every worker creates a PartRun. All workers must call the functions that are not const in the same order.
/// Errors: FailedTogether. A constructor fails if a GPU cannot be used, a machine lacks the memory, or the
/// checkpoint to resume from cannot be read.
class PartRun {
  public:
    /// gpus: the GPUs of this worker's machine.
    PartRun(Worker& worker, const std::string& program, const GpuBackend& gpu, const Options& options,
            const WorkersGpus& gpus);

    /// Makes a run for a grid of another size, with the workers, devices and connection of `other`.
    PartRun(const PartRun& other, const Options& options);

    [[nodiscard]] Worker& worker() const { return worker_; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const GpuBackend& gpu() const { return gpu_; }
    [[nodiscard]] const Device& device() const { return device_; }
    [[nodiscard]] const Partition& partition() const { return partition_; }
    [[nodiscard]] bool has_part() const { return worker_.index() < partition_.parts(); }

    /// The connection between the GPUs, or null if exchanges go through host memory.
    [[nodiscard]] DeviceLink* link() const { return link_.get(); }

    /// How the halos travel: the link's name, or "host".
    [[nodiscard]] const char* exchange() const { return link_ ? link_->name() : "host"; }

    /// The number of frames done before the checkpoint was written, or 0 if the run does not resume from a
    /// checkpoint.
    [[nodiscard]] int first_frame() const { return resumed_ ? static_cast<int>(resumed_->head().frames) : 0; }

    /// Returns the kernels to run one after the other. The first worker selects them by the options and its
    /// device. If another worker's device lacks a selected kernel, that worker runs the default kernel of its
    /// device instead. Errors: FailedTogether.
    std::vector<Kernel> choose_kernels();

    /// Connects the GPUs of the workers if there are several workers and every worker has a GPU.
    void connect();

    /// Returns whether an interrupt has come on any worker.
    bool any_interrupted();

    /// Returns the depth of the halos: the greatest depth that any worker's kernel asks for, but at most
    /// Partition::deepest_halo(). Returns the largest int if the grid is not divided. kernel: the kernel of
    /// this worker.
    int depth_of(const Kernel& kernel);

    /// Creates this worker's part on its device. The temperatures are the temperatures of the checkpoint or,
    /// without a checkpoint, of the book's room at the start. Returns null if the worker has no part.
    std::unique_ptr<PartSolver> make_part(const Kernel& kernel);

    /// Returns the checksum of the grid after `frames` frames. The CPU cores of all workers compute it, with
    /// a kernel that no worker runs. Returns nullopt if an interrupt comes. An interrupt that ended the run
    /// before this call does not count.
    std::optional<std::uint32_t> expected_after(const Kernel& kernel, int frames);

  private:
    void require_memory() const;
    void require_usable_device() const;
    std::unique_ptr<PartSolver> make_part(const Kernel& kernel, int device, DeviceLink* link);

    Worker& worker_;
    const std::string& program_;
    const Options& options_;
    const GpuBackend& gpu_;
    Partition partition_;
    Device device_;
    std::string why_no_gpu_;  ///< why there is no GPU, if --device auto chose the CPU; else empty
    std::optional<Checkpoint> resumed_;
    std::shared_ptr<DeviceLink> link_;
};

}  // namespace cudabook::heat
