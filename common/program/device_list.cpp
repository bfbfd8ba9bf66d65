#include "common/program/device_list.hpp"

#include <string>

#include <fmt/format.h>

#include "common/program/gpus.hpp"
#include "common/program/text_table.hpp"

namespace cudabook {

namespace {

std::string in_gib(double bytes) { return fmt::format("{:.0f} GiB", bytes / 0x1p30); }

}  // namespace

std::string device_list(const CudaDevices& cuda) {
    TextTable table({"--device", "product", "compute capability", "multiprocessors", "memory"}, 2);
    for (const Device& device : cuda.all)
        if (device.kind == DeviceKind::cuda)
            table.add({fmt::format("cuda:{}", device.index), device.name, device.compute_capability,
                       fmt::format("{}", device.units), in_gib(static_cast<double>(device.memory_bytes))});
    const bool any_real = !table.empty();
    const Device cpu = cpu_device();
    table.add({"cpu", cpu.name, "", fmt::format("{} threads", cpu.units), ""});
    for (const EmulatedGpu& gpu : emulated_gpus())
        table.add({fmt::format("emulated:{}", gpu.name), std::string(gpu.product),
                   fmt::format("{}.{}", gpu.major, gpu.minor), fmt::format("{}", gpu.multiprocessors),
                   in_gib(static_cast<double>(gpu.memory_bytes))});
    std::string text = table.text();
    if (!any_real) text += fmt::format("No --device cuda: {}\n", cuda.why_none);
    if (!built_with_emulation)
        text +=
            "No --device emulated: Boost.Context was missing when this was built (Debian: apt-get install "
            "libboost-context-dev)\n";
    return text;
}

}  // namespace cudabook
