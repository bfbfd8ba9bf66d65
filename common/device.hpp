// Which device a run uses: what --device asks for, and what the machine has. Plain C++;
// common/cuda_device.cuh asks CUDA.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "common/device_kind.hpp"
#include "common/errors.hpp"

#ifndef CUDABOOK_HAS_CUDA
#error "the build says whether there is CUDA: link cudabook_common"
#endif

namespace cudabook {

inline constexpr bool built_with_cuda = CUDABOOK_HAS_CUDA != 0;

inline std::string_view name_of(DeviceKind kind) { return kind == DeviceKind::cpu ? "cpu" : "cuda"; }

/// A device that can run kernels.
struct Device {
    DeviceKind kind = DeviceKind::cpu;
    int index = 0;                   ///< CUDA's number of it
    std::string name;                ///< as its maker calls it
    std::string compute_capability;  ///< such as "9.0"; empty for a CPU
    std::size_t memory_bytes = 0;
    int units = 0;  ///< multiprocessors, or hardware threads
};

/// The usable CUDA devices, or why there is none.
struct CudaDevices {
    std::vector<Device> usable;
    std::string why_none = "this build has no CUDA";
};

/// Asks for them, which takes a third of a second and a share of the GPU's memory.
using FindCudaDevices = std::function<CudaDevices()>;

/// Calls `ask`, which only a build with CUDA defines, or answers for a build without it. This is the one
/// place that knows which of the two it is.
template <class Ask>
auto if_built_with_cuda(Ask ask) {
    if constexpr (built_with_cuda)
        return ask();
    else
        return decltype(ask()){};
}

/// What --device asks for.
struct DeviceRequest {
    std::optional<DeviceKind> kind;  ///< none: the first usable GPU, else the CPU
    std::optional<int> index;        ///< CUDA's number; none: the first usable one
};

/// Reads auto, cpu, cuda or cuda:N. Errors: UsageError.
inline DeviceRequest parse_device(std::string_view text) {
    if (text == "auto") return {};
    if (text == "cpu") return {DeviceKind::cpu, {}};
    if (text == "cuda") return {DeviceKind::cuda, {}};
    constexpr std::string_view prefix = "cuda:";
    if (text.starts_with(prefix)) {
        const auto digits = text.substr(prefix.size());
        int index = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (error == std::errc{} && end == digits.data() + digits.size() && index >= 0)
            return {DeviceKind::cuda, index};
    }
    throw UsageError(fmt::format("--device '{}': use auto, cpu, cuda or cuda:N", text));
}

/// The processor this program runs on.
inline Device cpu_device() {
    Device device;
    device.name = "CPU";
    device.units = static_cast<int>(std::thread::hardware_concurrency());
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        device.name = line.substr(line.find(':') + 2);
        break;
    }
    return device;
}

/// The device that the request means. Errors: MachineError, if a GPU is asked for and not to be had.
inline Device choose_device(const DeviceRequest& request, const CudaDevices& cuda) {
    if (request.kind == DeviceKind::cpu || (!request.kind && cuda.usable.empty())) return cpu_device();
    const std::string asked = request.index ? fmt::format("cuda:{}", *request.index) : "cuda";
    if (cuda.usable.empty())
        throw MachineError(fmt::format("--device {}: {}; use --device cpu", asked, cuda.why_none));
    if (!request.index) return cuda.usable.front();
    for (const Device& device : cuda.usable)
        if (device.index == request.index) return device;
    std::string there;
    for (const Device& device : cuda.usable)
        there += fmt::format("{}cuda:{}", there.empty() ? "" : ", ", device.index);
    throw MachineError(fmt::format("--device {}: no such usable device; there is {}", asked, there));
}

}  // namespace cudabook
