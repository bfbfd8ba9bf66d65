// The interface between a sample's gpu.cu and its program, in plain C++.
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

/// The GPUs, their kernels and the measurements on them. The default values are for a build with neither CUDA
/// nor the emulated GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;  ///< the kernels, the simplest first
    std::string fastest;          ///< the name of the default kernel

    /// Measures the bandwidth in GB/s of a copy within a device's memory; bytes read and bytes written both
    /// count. It is the ceiling of kernels that do one step in a launch.
    double (*copy_gb_per_s)(int device) = nullptr;

    /// Measures the time in ms of a copy of `bytes` bytes to page-locked host memory. It is the ceiling of
    /// frames whose pictures are copied to the host.
    double (*to_host_ms)(int device, std::size_t bytes) = nullptr;

    /// Creates frames in a device's memory that a window's texture can show (see canvas.hpp). The function is
    /// empty in builds without OpenGL.
    std::function<std::unique_ptr<DeviceFrames>(int device, unsigned gl_texture, int width, int height)>
        make_device_frames;

    /// Connects the GPUs of all workers. Every worker calls this, each with a separate GPU. threads: whether
    /// the workers are threads of one process. The function is empty if there are no GPUs. Errors:
    /// MachineError.
    std::function<std::unique_ptr<DeviceLink>(Worker&, int device, bool threads)> connect;

    /// Measures the time in ms of an exchange of `cells` cells each way between workers 0 and 1, 2 and 3, and
    /// so on. Every worker calls this with its GPU. Errors: MachineError.
    double (*exchange_ms)(Worker&, DeviceLink&, int device, std::size_t cells) = nullptr;

    /// Measures the speed of a step's arithmetic alone on a device, in 10^9 cells per second. It is the
    /// ceiling of kernels that do several steps in a launch.
    double (*step_arithmetic_gcells_per_s)(int device) = nullptr;
};

}  // namespace cudabook::heat
