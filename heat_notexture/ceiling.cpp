#include "heat_notexture/ceiling.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/program/measurement.hpp"

namespace cudabook::heat {

namespace {

/// The bandwidth of a copy of 128 MiB by all of the CPU's cores in GB/s, bytes read and bytes written both
/// counted; the median of nine.
double cpu_copy_gb_per_s() {
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

}  // namespace

double Ceilings::copy_gb_per_s(DeviceKind device, int gpu) {
    return measured_once("copy", is_gpu(device) ? DeviceKind::cuda : DeviceKind::cpu,
                         [&] { return is_gpu(device) ? gpu_.copy_gb_per_s(gpu) : cpu_copy_gb_per_s(); });
}

double Ceilings::step_arithmetic_gcells_per_s(int gpu) {
    return measured_once("arithmetic", DeviceKind::cuda,
                         [&] { return gpu_.step_arithmetic_gcells_per_s(gpu); });
}

Ceiling Ceilings::measured(const Kernel& kernel, int gpu) {
    if (kernel.device == DeviceKind::cuda && kernel.most_steps > 1)
        return {step_arithmetic_gcells_per_s(gpu), "arithmetic"};
    return {copy_gb_per_s(kernel.device, gpu) / 8, "copy"};
}

double Ceilings::measured_once(const std::string& name, DeviceKind device,
                               const std::function<double()>& measure) {
    double& value = measured_[{name, device}];
    if (value == 0) value = measure();
    return value;
}

}  // namespace cudabook::heat
