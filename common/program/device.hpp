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

#if !defined(CUDABOOK_HAS_CUDA) || !defined(CUDABOOK_HAS_EMULATION)
#error "the build says whether there is CUDA, and an emulated GPU: link cudabook_common"
#endif

namespace cudabook {

inline constexpr bool built_with_cuda = CUDABOOK_HAS_CUDA != 0;
inline constexpr bool built_with_emulation = CUDABOOK_HAS_EMULATION != 0;

inline std::string_view name_of(DeviceKind kind) {
    return kind == DeviceKind::cpu ? "cpu" : kind == DeviceKind::cuda ? "cuda" : "emulated";
}

/// A device that can run kernels.
struct Device {
    DeviceKind kind = DeviceKind::cpu;
    int index = 0;                   ///< the device index in the CUDA runtime, real or emulated; 0 for a CPU
    std::string name;                ///< the product name
    std::string compute_capability;  ///< such as "9.0"; empty for a CPU
    std::size_t memory_bytes = 0;
    int units = 0;       ///< the multiprocessors of a GPU, or the hardware threads of a CPU
    std::string uuid{};  ///< unique among the devices of all machines; empty for a CPU
};

/// Returns the compute capability of a GPU as a number: 90 for "9.0".
inline int capability_of(const Device& device) {
    const std::string& text = device.compute_capability;
    return 10 * std::stoi(text) + std::stoi(text.substr(text.find('.') + 1));
}

/// The CUDA devices in CUDA's order, or the reason why there are none. If the program's GPU code was compiled
/// for the emulated GPU, all devices are emulated; otherwise all are real. Listing the devices creates no
/// context.
struct CudaDevices {
    std::vector<Device> all;
    std::string why_none = "this build has no CUDA";

    /// Makes a device current, which takes a third of a second and some of the device's memory. Returns why
    /// this program cannot use the device, or an empty string if it can. Workers call this function from
    /// several threads at once.
    std::function<std::string(const Device&)> why_unusable = [](const Device&) { return std::string(); };
};

using FindCudaDevices = std::function<CudaDevices()>;

/// Returns ask() in a build with CUDA or the emulated GPU. Returns an empty result in any other build,
/// because only a build with a GPU defines the functions that `ask` calls.
template <class Ask>
auto if_there_is_a_gpu(Ask ask) {
    if constexpr (built_with_cuda || built_with_emulation)
        return ask();
    else
        return decltype(ask()){};
}

/// The value of --device.
struct DeviceRequest {
    std::optional<DeviceKind> kind = {};  ///< nullopt for the first usable GPU or, if there is none, the CPU
    std::optional<int> index = {};        ///< the CUDA device index; nullopt for the first usable device
    std::vector<int> more_indices = {};   ///< the indices after the first in cuda:N,cuda:M,...
    std::string emulated_gpu = {};        ///< the GPU to imitate; if empty, CUDABOOK_EMULATED_GPUS or an H200
};

/// Parses auto, cpu, cuda, cuda:N, cuda:N,cuda:M,..., emulated or emulated:NAME. Errors: UsageError.
DeviceRequest parse_device(std::string_view text);

/// The processor this program runs on.
Device cpu_device();

/// A device, or the reason why there is none.
struct FoundDevice {
    std::optional<Device> device;
    std::string why_none;
};

/// Makes the GPUs of this kind current in turn, until a GPU is usable, and returns this GPU.
FoundDevice first_usable(const CudaDevices& cuda, DeviceKind kind = DeviceKind::cuda);

/// The device that a request selects on this machine.
struct ChosenDevice {
    Device device;
    std::string why_no_gpu;  ///< why `auto` fell back to the CPU; empty if it did not
};

/// Chooses the device for a request. If the device is a GPU, makes it current. If the request is for the
/// first usable GPU, also makes the unusable GPUs before it current, and no others. Does not look for GPUs if
/// the request is for the CPU. Chooses an emulated GPU only if the request is for an emulated GPU. Errors:
/// MachineError if the requested GPU is not available.
ChosenDevice choose_device(const DeviceRequest& request, const FindCudaDevices& find_cuda);

}  // namespace cudabook
