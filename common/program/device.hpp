// Which device a run uses: what --device asks for, and what the machine has. Plain C++;
// common/cuda/device.cuh asks CUDA.
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

    /// Makes a device the current one, which takes a third of a second and a share of its memory. Why this
    /// program cannot use it, or nothing.
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
DeviceRequest parse_device(std::string_view text);

/// The processor this program runs on.
Device cpu_device();

/// A device, or why there is none.
struct FoundDevice {
    std::optional<Device> device;
    std::string why_none;
};

/// The first device that can be used; those after it are not touched.
FoundDevice first_usable(const CudaDevices& cuda);

/// What a request means on this machine.
struct ChosenDevice {
    Device device;
    std::string why_no_gpu;  ///< where the request left it open, and there is none
};

/// Looks for GPUs where the request does not mean the CPU, and touches none but the chosen one and, on the
/// way to the first usable one, those that are not. Errors: MachineError, if a GPU is asked for and not to be
/// had.
ChosenDevice choose_device(const DeviceRequest& request, const FindCudaDevices& find_cuda);

}  // namespace cudabook
