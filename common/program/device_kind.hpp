// The kinds of device. C++17.
#pragma once

namespace cudabook {

enum class DeviceKind { cpu, cuda, emulated };

/// Whether the device is a GPU, real or emulated.
constexpr bool is_gpu(DeviceKind kind) { return kind != DeviceKind::cpu; }

/// Whether a kernel written for devices of kind `kernel` runs on a device of kind `device`. A kernel whose
/// kind is `cuda` runs on every GPU.
constexpr bool runs_on(DeviceKind kernel, DeviceKind device) { return is_gpu(kernel) == is_gpu(device); }

}  // namespace cudabook
