#include "common/program/device_list.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "common/program/gpus.hpp"

namespace cudabook {

namespace {

using DeviceRow = std::array<std::string, 5>;

std::string in_gib(double bytes) { return fmt::format("{:.0f} GiB", bytes / 0x1p30); }

/// The numbers of a row are aligned right.
std::string aligned(const std::vector<DeviceRow>& rows) {
    std::array<std::size_t, 5> widths{};
    for (const DeviceRow& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const DeviceRow& row : rows) {
        const std::string line =
            fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>{}}  {:>{}}", row[0], widths[0], row[1], widths[1],
                        row[2], widths[2], row[3], widths[3], row[4], widths[4]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace

std::string device_list(const CudaDevices& cuda) {
    std::vector<DeviceRow> rows{{"--device", "product", "compute capability", "multiprocessors", "memory"}};
    for (const Device& device : cuda.all)
        if (device.kind == DeviceKind::cuda)
            rows.push_back({fmt::format("cuda:{}", device.index), device.name, device.compute_capability,
                            fmt::format("{}", device.units),
                            in_gib(static_cast<double>(device.memory_bytes))});
    const bool any_real = rows.size() > 1;
    const Device cpu = cpu_device();
    rows.push_back({"cpu", cpu.name, "", fmt::format("{} threads", cpu.units), ""});
    for (const EmulatedGpu& gpu : emulated_gpus())
        rows.push_back({fmt::format("emulated:{}", gpu.name), std::string(gpu.product),
                        fmt::format("{}.{}", gpu.major, gpu.minor), fmt::format("{}", gpu.multiprocessors),
                        in_gib(static_cast<double>(gpu.memory_bytes))});
    std::string text = aligned(rows);
    if (!any_real) text += fmt::format("No --device cuda: {}\n", cuda.why_none);
    if (!built_with_emulation)
        text +=
            "No --device emulated: Boost.Context was missing when this was built (Debian: apt-get install "
            "libboost-context-dev)\n";
    return text;
}

}  // namespace cudabook
