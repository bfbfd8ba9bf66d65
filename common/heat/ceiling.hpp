// What limits the kernels of the heat rooms on a device, measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/heat/solver.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::heat {

/// The most that a kernel could do, and what that is the pace of.
struct Ceiling {
    double gcells_per_s = 0;
    std::string name;
};

/// The bandwidth of a copy by all of the CPU's cores in GB/s, bytes read and bytes written both counted; 128
/// MiB, the median of nine.
inline double cpu_copy_gb_per_s() {
    constexpr std::size_t chunk = std::size_t{1} << 20U;
    constexpr int chunks = 128;
    const std::vector<char> from(chunk * chunks, 1);
    std::vector<char> to(chunk * chunks, 2);
    const auto copy = [&] {
#pragma omp parallel for
        for (int i = 0; i < chunks; ++i)
            std::copy_n(from.data() + static_cast<std::size_t>(i) * chunk, chunk,
                        to.data() + static_cast<std::size_t>(i) * chunk);
    };
    copy();
    std::vector<double> ms;
    for (int i = 0; i < 9; ++i) ms.push_back(wall_ms(copy));
    return 2 * static_cast<double>(from.size()) / summarise(std::move(ms)).median / 1e6;
}

/// The ceilings of both devices, each measured when it is first asked for.
class Ceilings {
  public:
    explicit Ceilings(const GpuBackend& gpu) : gpu_(gpu) {}

    /// A copy within the memory of a device, of the GPU or of the CPU.
    double copy_gb_per_s(DeviceKind device, int gpu) {
        return known("copy", device, [&] {
            return device == DeviceKind::cpu ? cpu_copy_gb_per_s() : gpu_.copy_gb_per_s(gpu);
        });
    }

    /// The arithmetic of a step on a GPU.
    double step_arithmetic_gcells_per_s(int gpu) {
        return known("arithmetic", DeviceKind::cuda, [&] { return gpu_.step_arithmetic_gcells_per_s(gpu); });
    }

    /// A GPU's kernel that does many steps on the chip is limited by arithmetic, all others by the memory, of
    /// which a step reads and writes four bytes for each cell.
    Ceiling of(const Kernel& kernel, int gpu) {
        if (kernel.device == DeviceKind::cuda && kernel.many_steps)
            return {step_arithmetic_gcells_per_s(gpu), "arithmetic"};
        return {copy_gb_per_s(kernel.device, gpu) / 8, "copy"};
    }

  private:
    template <class Measure>
    double known(const std::string& name, DeviceKind device, Measure measure) {
        double& value = known_[{name, device}];
        if (value == 0) value = measure();
        return value;
    }

    const GpuBackend& gpu_;
    std::map<std::pair<std::string, DeviceKind>, double> known_;
};

}  // namespace cudabook::heat
