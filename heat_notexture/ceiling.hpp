// What limits a kernel on a device, measured.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/kernel.hpp"

namespace cudabook::heat {

/// The most that a kernel could do, and what does that much.
struct Ceiling {
    double gcells_per_s = 0;
    std::string name;
};

/// The ceilings of both devices, each measured when it is first asked for.
class Ceilings {
  public:
    explicit Ceilings(const GpuBackend& gpu) : gpu_(gpu) {}

    /// A copy within the memory of a device, of the CPU or of the GPU of that number.
    double copy_gb_per_s(DeviceKind device, int gpu);

    /// The arithmetic of a step on a GPU.
    double step_arithmetic_gcells_per_s(int gpu);

    /// A GPU's kernel that does many steps on the chip is limited by arithmetic. All others are limited by
    /// the memory, of which a step reads and writes four bytes for each cell. Measured at the first call.
    Ceiling measured(const Kernel& kernel, int gpu);

  private:
    double measured_once(const std::string& name, DeviceKind device, const std::function<double()>& measure);

    const GpuBackend& gpu_;
    std::map<std::pair<std::string, DeviceKind>, double> measured_;
};

}  // namespace cudabook::heat
