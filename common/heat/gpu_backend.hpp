// What a sample's gpu.cu gives to its program; plain C++.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/heat/kernel.hpp"
#include "common/program/device.hpp"
#include "common/window/canvas.hpp"

namespace cudabook::heat {

/// The GPUs, the kernels for them and what is measured there. As it is made here: a build without CUDA.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;  ///< from the plainest up
    std::string fastest;          ///< the default kernel

    /// Measures the bandwidth of a copy within a device's memory in GB/s, bytes read and written both
    /// counted: the ceiling of kernels that do one step a launch.
    double (*copy_gb_per_s)(int device) = nullptr;

    /// Makes frames of a device that a window's texture can show (see canvas.hpp); empty where there are
    /// none.
    std::function<std::unique_ptr<DeviceFrames>(int device, unsigned gl_texture, int width, int height)>
        make_device_frames;

    /// Measures how many billions of cells a second the arithmetic of a device could step: the ceiling of
    /// kernels that do many steps on the chip.
    double (*step_arithmetic_gcells_per_s)(int device) = nullptr;
};

}  // namespace cudabook::heat
