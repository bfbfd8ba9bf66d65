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

#include "common/program/device_kind.hpp"
#include "common/program/errors.hpp"

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

/// CUDA's devices in its order, or why there is none. To list them touches none of them.
struct CudaDevices {
    std::vector<Device> all;
    std::string why_none = "this build has no CUDA";

    /// Tries to use a device, which takes a third of a second and a share of its memory, and makes it the
    /// current one. Why this program cannot use it, or nothing.
    std::function<std::string(const Device&)> why_unusable = [](const Device&) { return std::string(); };
};

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

/// A device, or why there is none.
struct FoundDevice {
    std::optional<Device> device;
    std::string why_none;
};

/// The first device that can be used; those after it are not touched.
inline FoundDevice first_usable(const CudaDevices& cuda) {
    FoundDevice found{std::nullopt, cuda.why_none};
    for (const Device& device : cuda.all) {
        const std::string why = cuda.why_unusable(device);
        if (why.empty()) return {device, ""};
        found.why_none = fmt::format("cuda:{} cannot be used ({})", device.index, why);
    }
    return found;
}

namespace detail {

/// CUDA's device of that number; no other is touched. There must be devices.
inline Device device_of_number(int index, const CudaDevices& cuda) {
    std::string why = "no such device";
    std::string others;
    for (const Device& device : cuda.all) {
        if (device.index != index) {
            others += fmt::format("{}cuda:{}", others.empty() ? "" : ", ", device.index);
            continue;
        }
        const std::string unusable = cuda.why_unusable(device);
        if (unusable.empty()) return device;
        why = fmt::format("it cannot be used ({})", unusable);
    }
    throw MachineError(fmt::format("--device cuda:{}: {}; {}", index, why,
                                   others.empty() ? "use --device cpu" : "there is " + others));
}

}  // namespace detail

/// What a request means on this machine.
struct ChosenDevice {
    Device device;
    std::string why_no_gpu;  ///< where the request left it open, and there is none
};

/// Looks for GPUs where the request does not mean the CPU, and touches none but the chosen one and, on the
/// way to the first usable one, those that are not. Errors: MachineError, if a GPU is asked for and not to be
/// had.
inline ChosenDevice choose_device(const DeviceRequest& request, const FindCudaDevices& find_cuda) {
    if (request.kind == DeviceKind::cpu) return {cpu_device(), ""};
    const CudaDevices cuda = find_cuda();
    if (request.index && !cuda.all.empty()) return {detail::device_of_number(*request.index, cuda), ""};
    const FoundDevice found = first_usable(cuda);
    if (found.device) return {*found.device, ""};
    if (!request.kind) return {cpu_device(), found.why_none};
    const std::string asked = request.index ? fmt::format("cuda:{}", *request.index) : "cuda";
    throw MachineError(fmt::format("--device {}: {}; use --device cpu", asked, found.why_none));
}

}  // namespace cudabook
