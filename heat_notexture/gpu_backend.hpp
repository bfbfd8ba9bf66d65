// What a sample's gpu.cu gives to its program; plain C++.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/window/canvas.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/workers/device_link.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// The GPUs, the kernels for them and what is measured there. As it is made here: a build without CUDA.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;  ///< from the plainest up
    std::string fastest;          ///< the default kernel

    /// Measures the bandwidth of a copy within a device's memory in GB/s, bytes read and written both
    /// counted: the ceiling of kernels that do one step a launch.
    double (*copy_gb_per_s)(int device) = nullptr;

    /// Measures how long the copy of so many bytes to page-locked host memory takes, in ms: the ceiling of
    /// frames whose pictures come to the host.
    double (*to_host_ms)(int device, std::size_t bytes) = nullptr;

    /// Makes frames of a device that a window's texture can show (see canvas.hpp); empty where there are
    /// none.
    std::function<std::unique_ptr<DeviceFrames>(int device, unsigned gl_texture, int width, int height)>
        make_device_frames;

    /// Connects the GPUs of all workers; every worker calls it, with a GPU of its own. threads: the workers
    /// are threads of a process. Empty where there are no GPUs. Errors: MachineError.
    std::function<std::unique_ptr<DeviceLink>(Worker&, int device, bool threads)> connect;

    /// Measures how long an exchange of so many cells each way takes between worker 0 and 1, 2 and 3, ..., in
    /// ms; every worker calls it, with its GPU. Errors: MachineError.
    double (*exchange_ms)(Worker&, DeviceLink&, int device, std::size_t cells) = nullptr;

    /// Measures how many billions of cells a second the arithmetic of a device could step: the ceiling of
    /// kernels that do many steps on the chip.
    double (*step_arithmetic_gcells_per_s)(int device) = nullptr;
};

}  // namespace cudabook::heat
