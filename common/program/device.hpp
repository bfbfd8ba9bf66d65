// Chooses the device of a run from --device and from what the machine has. Plain C++; common/cuda/device.cuh
// queries CUDA.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/program/device_kind.hpp"

#ifndef CUDABOOK_HAS_CUDA
#error "the build says whether there is CUDA: link cudabook_common"
#endif

namespace cudabook {

inline constexpr bool built_with_cuda = CUDABOOK_HAS_CUDA != 0;

inline std::string_view name_of(DeviceKind kind) { return kind == DeviceKind::cpu ? "cpu" : "cuda"; }

/// A device that can run kernels.
struct Device {
    DeviceKind kind = DeviceKind::cpu;
    int index = 0;                   ///< the CUDA device index
    std::string name;                ///< the product name
    std::string compute_capability;  ///< such as "9.0"; empty for a CPU
    std::size_t memory_bytes = 0;
    int units = 0;  ///< multiprocessors, or hardware threads
};

/// All CUDA devices in CUDA's order, or why there is none. Listing them creates no context.
struct CudaDevices {
    std::vector<Device> all;
    std::string why_none = "this build has no CUDA";

    /// Makes a device current, which takes a third of a second and some of its memory. Returns why this
    /// program cannot use it, or an empty string.
    std::function<std::string(const Device&)> why_unusable = [](const Device&) { return std::string(); };
};

using FindCudaDevices = std::function<CudaDevices()>;

/// The result of `ask`, which only a build with CUDA defines; in a build without CUDA, an empty result. This
/// is the only place that knows which build it is.
template <class Ask>
auto if_built_with_cuda(Ask ask) {
    if constexpr (built_with_cuda)
        return ask();
    else
        return decltype(ask()){};
}

/// The value of --device.
struct DeviceRequest {
    std::optional<DeviceKind> kind;  ///< none: the first usable GPU, else the CPU
    std::optional<int> index;        ///< the CUDA device index; none: the first usable one
};

/// Parses auto, cpu, cuda or cuda:N. Errors: UsageError.
DeviceRequest parse_device(std::string_view text);

/// The processor this program runs on.
Device cpu_device();

/// A device, or why there is none.
struct FoundDevice {
    std::optional<Device> device;
    std::string why_none;
};

/// The first usable device; later ones are not made current.
FoundDevice first_usable(const CudaDevices& cuda);

/// The device that a request selects on this machine.
struct ChosenDevice {
    Device device;
    std::string why_no_gpu;  ///< set if `auto` fell back to the CPU
};

/// Looks for GPUs unless the request is for the CPU. Makes no device current but the chosen one and, in
/// search of the first usable one, the unusable ones before it. Errors: MachineError, if the requested GPU is
/// not available.
ChosenDevice choose_device(const DeviceRequest& request, const FindCudaDevices& find_cuda);

}  // namespace cudabook
