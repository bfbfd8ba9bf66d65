// Measures the ceiling of a kernel on a device.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

/// The upper limit of a kernel's speed, and the name of what limits it: "copy" or "arithmetic".
struct Ceiling {
    double gcells_per_s = 0;
    std::string name;
};

/// The ceilings of the CPU and of a GPU, each measured when it is first asked for.
class Ceilings {
  public:
    explicit Ceilings(const GpuBackend& gpu) : gpu_(gpu) {}

    /// Returns the bandwidth in GB/s of a copy within the memory of the CPU or of GPU number `gpu`.
    double copy_gb_per_s(DeviceKind device, int gpu);

    /// Returns the speed of a step's arithmetic alone on GPU number `gpu`, in 10^9 cells per second.
    double step_arithmetic_gcells_per_s(int gpu);

    /// Returns a kernel's ceiling, which is measured at the first call. On a GPU, a kernel that does several
    /// steps in one launch is limited by arithmetic. All other kernels are limited by memory: a step reads
    /// and writes four bytes for each cell.
    Ceiling measured(const Kernel& kernel, int gpu);

  private:
    double measured_once(const std::string& name, DeviceKind device, const std::function<double()>& measure);

    const GpuBackend& gpu_;
    std::map<std::pair<std::string, DeviceKind>, double> measured_;
};

}  // namespace cudabook::heat
